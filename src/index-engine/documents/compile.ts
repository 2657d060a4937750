/** Compiles an index configuration and a locale into a plan that reads, shows and merges documents. */
import { languageOfLocale, LIMITS, type FieldConfig, type IndexConfig } from "../../interface/index.ts";
import { analyzerFor } from "../analysis/index.ts";
import type { IndexableRow, ReadOutcome } from "../segment/model/index.ts";
import { convertRow } from "./convert.ts";
import { decodeDocument, decodeId, isRecord, readableId, Rejection, type DecodedRow, IgnoredValues } from "./decode.ts";
import { parseDocument } from "./json.ts";
import { mergeDocument } from "./merge.ts";
import { normGroupsOf } from "./norm-groups.ts";
import { NumberFields } from "./number-updates.ts";
import type { FieldPlan } from "./plan.ts";
import { TooManySteps } from "./pattern-steps.ts";
import { compileProcessors, runProcessors, type WorkingDocument } from "./processors/index.ts";
import { RuleBook } from "./rules.ts";
import { TextShower } from "./show-text.ts";
import { publicDocument, showDocument, variantDataId, wholeDocument } from "./show.ts";

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/**
 * Throws Error for an unknown processor or an invalid regular expression; call `checkIndexConfig`
 * before accepting a configuration. An unreadable locale gets default analysis.
 */
export function compileFieldPlan(config: IndexConfig, locale: string): FieldPlan {
  const language = languageOfLocale(locale) ?? "";
  const book = new RuleBook(config);
  const numberFields = new NumberFields(book, config);
  const processors = compileProcessors(config);
  const fields = new Map<string, FieldConfig>(config.fields.map((field) => [field.name, field]));

  const texts = TextShower.of(book, config);

  function isIndexed(working: WorkingDocument, isStored: boolean): boolean {
    try {
      return runProcessors(processors, working);
    } catch (error) {
      if (!(error instanceof TooManySteps)) throw error;
      if (isStored) return true;
      throw new Rejection(
        `the regular expressions of its data processors take more than ${LIMITS.patternSteps.value} steps`,
      );
    }
  }

  function readValid(
    id: string,
    source: Uint8Array,
    body: Readonly<Record<string, unknown>>,
    isStored: boolean,
  ): ReadOutcome {
    const document = decodeDocument(id, body);
    let master: DecodedRow = document;
    if (processors.length > 0) {
      const working = { ...document, data: { ...document.data } };
      if (!isIndexed(working, isStored)) return { status: "skipped", id };
      master = working;
    }
    const rules = book.rulesOf(master, document.variants);
    if (!isStored && rules.areTooMany) {
      throw new Rejection(
        `the regular expressions of dynamic fields take more than ${LIMITS.patternSteps.value} steps for its names`,
      );
    }
    const ignored = new IgnoredValues();
    const row = convertRow(book, master, { level: "master", prefix: "", rules, ignored, isStored }, []);
    const variants: IndexableRow[] = document.variants.map((variant, position) =>
      convertRow(
        book,
        variant,
        { level: "variant", prefix: `variants[${position}].`, rules, ignored, isStored },
        [...new Set([variant.id, variantDataId(book, variant.data)])].filter((id) => id !== null),
      ),
    );
    if (!isStored) refuseGrowth([row, ...variants], source.byteLength);
    return {
      status: "indexable",
      product: { id, source, ...row, variants },
      ignored: ignored.list,
    };
  }

  return {
    language,
    analyzer: analyzerFor(language),
    searchAliases: book.aliases,
    categoryField: book.primaryCategoryField?.name ?? null,
    normGroup: normGroupsOf(config.fields),
    catchAll: config.catchAll,
    field: (name) => fields.get(name) ?? null,

    read(document, source, isStored = false) {
      try {
        if (!isRecord(document)) throw new Rejection("a document must be an object");
        const id = decodeId(document.id, isStored);
        const limit = LIMITS.documentBytes.value;
        if (source.byteLength > limit) {
          throw new Rejection(`the document is ${source.byteLength} bytes long; at most ${limit} are allowed`);
        }
        return readValid(id, source, document, isStored);
      } catch (error) {
        if (error instanceof Rejection) {
          return { status: "rejected", id: readableId(document), reason: error.message };
        }
        throw error;
      }
    },

    learning: (document) => book.learning(document),

    show: (stored, variant) => showDocument(book, processors, stored, variant),
    showJson(source, variant) {
      const copied = variant === null ? texts?.show(source) : null;
      if (copied !== null && copied !== undefined) return copied;
      const stored = parseDocument(decoder.decode(source));
      return encoder.encode(JSON.stringify(showDocument(book, processors, stored, variant)));
    },
    whole: (stored) => wholeDocument(book, stored),
    hasPrivate: book.hasPrivate,
    isPrivate: (name) => book.hasPrivate && startsOf(name).some((start) => book.isPrivate(start)),
    public: (stored) => publicDocument(book, stored),
    merge: (stored, patch) => mergeDocument(book, stored, patch),
    numberChanges: (patch) => numberFields.changes(patch),
    changesNumbersOnly: (stored, changes) => numberFields.areChanged(stored, changes),
  };
}

const CHARACTERS_OF_ANY_DOCUMENT = 16_384;
const CHARACTERS_PER_BYTE = 16;
const CHARACTERS_PER_VALUE = 8;

/** Throws Rejection if many fields that read the same values make far more of a document than was sent. */
function refuseGrowth(rows: readonly IndexableRow[], sizeBytes: number): void {
  const most = Math.min(CHARACTERS_OF_ANY_DOCUMENT + CHARACTERS_PER_BYTE * sizeBytes, LIMITS.indexedCharacters.value);
  let length = 0;
  for (const { texts, values, columns } of rows) {
    length += CHARACTERS_PER_VALUE * (values.length + columns.length);
    for (const { text } of texts) length += text.length;
  }
  if (length <= most) return;
  throw new Rejection(`the fields that read it are indexed as ${length} characters; at most ${most} are allowed`);
}

/** The name and its dotted prefixes: `margin.net.id`, `margin.net` and `margin`. */
function startsOf(name: string): string[] {
  const starts = [name];
  for (let dot = name.indexOf("."); dot > 0; dot = name.indexOf(".", dot + 1)) {
    starts.push(name.slice(0, dot));
  }
  return starts;
}
