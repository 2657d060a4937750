/** Collects the indexed values of one row (a product or a variant). */
import { joinedCode } from "./codes.ts";
import type { ColumnValue, FieldText, FieldValue } from "../segment/model/index.ts";

export class RowWriter {
  /** Category facets use product level only (docs/behaviour.md 1.1). */
  readonly isMaster: boolean;
  readonly texts: FieldText[] = [];
  readonly values: FieldValue[] = [];
  readonly columns: ColumnValue[] = [];

  constructor(isMaster: boolean) {
    this.isMaster = isMaster;
  }

  /** Adds a value as it is, and codes without their separators, too. @param prefix of the field's texts */
  addText(field: string, value: string, prefix: string | null = null): void {
    const add = (text: string): void => {
      this.texts.push({ field, text: prefix === null ? text : `${prefix} ${text}` });
    };
    add(value);
    const joined = joinedCode(value.trim());
    if (joined !== null) add(joined);
  }
}
