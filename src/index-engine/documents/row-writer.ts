/** Collects the indexed values of one row (a product or a variant). */
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
}
