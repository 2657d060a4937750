/**
 * The segment format, version 4. A segment is one immutable byte range. Numbers are little-endian, and there are no
 * pointers, so it can be placed anywhere in memory.
 *
 *   segment  = header, section table, sections
 *   header   = 48 bytes
 *      0  magic "AISLSEG1"
 *      8  u32 format version (FORMAT_VERSION)
 *     12  u32 ANALYSIS_VERSION of the terms and of the order of sort keys
 *     16  language, ASCII, 16 bytes, zero-filled
 *     32  u32 number of sections
 *     36  u32 length of the segment in bytes
 *     40  u32 checksum of header and section table, with these four bytes as zero
 *     44  u32 zero
 *   section table = per section, ascending by number: u32 number, u32 offset, u32 length in bytes, u32 checksum
 *   section  = starts at a multiple of 16 (gaps are zero); empty sections are left out and read as empty
 *   checksum = XXH32, seed 0 (base/checksum.ts)
 *
 * Readers ignore unknown section numbers, so a later writer can add sections without a new version. Changing the
 * meaning of a section needs a new FORMAT_VERSION. Everything is written in a defined order: equal products give equal
 * bytes.
 *
 * P = products, V = variant rows (P if no product has variants), T = terms, N = facet values. "strings" are the two
 * sections, index and bytes, of a front-coded table (strings/writer.ts). "postings" are six sections that start at the
 * given number (postings/format.ts). "offsets" and "ranked bits" are those of base/ (offsets.ts, ranked-bits.ts).
 * "packed" is a word with a width in bits, followed by numbers of that width (base/packed-numbers.ts).
 *
 *   1      counts         u32 P, V, variants in documents, N, 0, 0; then per norm group f64 sum of decoded lengths
 *   2,3    ids            strings, sorted; ordinal = product row
 *   4,5    terms          strings, sorted; ordinal = posting list
 *   6,7    search-fields  strings, sorted: fields with at least one term
 *   8      signatures     u32 [S + 1]: starts into 9 and 10. Signatures with the most postings come first; ties are
 *                         ordered by their entries (9, 10) as numbers. Entries ascend by field
 *   9,10   signatures     u16 field, u8 frequency (255 = 255 or more) of each entry
 *   11     norms          u8 [3][P], groups in the order of NORM_GROUPS (norms.ts)
 *   12     variant-rows   offsets [P + 1]: first variant row of each product. 12-14 only if some product has variants
 *   13     variant-rows   ranked bits [V]: the row is the first one of its product
 *   14     variant-rows   bits [P]: the product has no variants, and its one variant row stands for itself
 *   16..   term-postings          T lists over products, codes = signatures
 *   24..   variant-term-postings  T lists over variant rows, no codes; only if variants have text of their own
 *   32..   value-postings         N lists over products
 *   40..   variant-value-postings N lists over variant rows; only if variants have values of their own
 *   48,49  facet-fields   strings: distinct field names, sorted
 *   50     facet-fields   per field u32 x 4: name (48) << 2 | kind (0 term, 1 number, 2 path), first value ordinal,
 *                         first entry in 52 or 54, flags: 1 on products, 2 on variants, 4 some value is facetable, 8
 *                         some value has an id, 16 no product has two values, 32 some product has two (16 and 32 are
 *                         both unset if it depends on variants)
 *   51     facet-values   bits [N] of values with the same key as the previous value; absent if all keys differ
 *   52,53  facet-values   strings: values of term and path fields by ordinal (not sorted as strings)
 *   54     facet-values   f64: values of number fields by ordinal
 *   55,56  facet-ids      strings: distinct ids of values, sorted; 55-57 only if some value has an id
 *   57     facet-ids      u32: entry in 55 plus 1, 0 = no id; only of values of fields with flag 8, by ordinal
 *   58     facet-values   bits [N] of values that are filter-only; absent if there are none
 *   59     facet-rows     offsets [P + 1]: starts into 60
 *   60     facet-rows     u16: value ordinals of each product, ascending, as deltas from the previous one. The first
 *                         delta is from the last value before the first field on products, or -1. A delta above
 *                         65,535 is written as zeros and the rest; each 0 adds 65,535 without giving a value
 *   61,62  facet-rows     the same for variant rows, from -1; only if variants have values of their own
 *   64,65  columns        strings: distinct column names, sorted
 *   66     columns        column records (columns/format.ts)
 *   67     columns        values, packed or as f64
 *   68     columns        rows, u32
 *   69,70  column-keys    strings: texts of all string columns, by sort key. Each column starts a block
 *   72,73  stored         strings: distinct names of stored blocks, sorted
 *   74     stored         packed [P]: block of each product; absent if there is at most one
 *   75     stored         packed [P]: chunk
 *   76     stored         packed [P]: offset in the chunk
 *   80..84 titles         titles in order (positions/writer.ts): u32 codes; strings: field names; u32 per 64 rows;
 *                         u16 [P]
 *   85     titles         the rows
 *   86,87  title-stems    stems of terms in titles (positions/stem-forms.ts): u32 heads, entries
 *   88     title-heads    u8 [P]: end of each title's head (positions/writer.ts), 0 = no title
 *                         88 was added without a new version. Segments without it do not know the heads
 *
 * Example. Two products: `a` with the title "Red Shoe" and the term value colour=Red, and `b` with the title "Shoe".
 * The norm group of `title` is title (0). Terms are "red" (in a) and "shoe" (in a and b). The only signature is
 * {title: 1}.
 *   ids           index [2, 0], bytes 01 61 | 01 62                      head "a"; "b" shares 0 bytes and adds 1
 *   terms         index [2, 0], bytes 03 72 65 64 | 04 73 68 6f 65       "red"; "shoe" shares 0 and adds 4
 *   signatures    starts [0, 1], fields [0], frequencies [1]
 *   norms         02 01 | 00 00 | 00 00                                  title lengths 2 and 1, others 0
 *   term-postings row numbers take 1 bit. Directory [20201, 2, 6] has entries of 2 bits: list 0 is the single row 0
 *                 with code 0; list 1 starts at byte 1 of the data: 00 (filler) | 00 08 | 00
 *                 u16 0800: 2 rows, gaps and codes of 0 bits; then row 0 in 1 bit, and gap 1 (stored as 0) in 0 bits
 *   facet-fields  names index [1, 0], bytes 06 "colour"; record 0, 0, 0, 21 (on products, facetable, single)
 *   facet-values  index [1, 0], bytes 03 "Red"
 *   facet-rows    starts 0, 1, 1 as offsets [106, 0, 10100], deltas [1]
 *   value-postings directory [10201, 1, 1]: the single row 0
 *   counts        2, 2, 0, 1, 0, 0, then 3.0, 0.0, 0.0
 */

export const MAGIC = "AISLSEG1";
/** Version 4 has offsets and packed numbers in sections 12, 13, 59, 61, 66, 67 and 74-76, and in directories. */
export const FORMAT_VERSION = 4;
/**
 * Older segments cannot be read. The additions of version 3 (words of string columns, alphabets and exceptions of
 * posting lists) are absent or zero in version 2, so one reader reads both.
 */
export const OLDEST_FORMAT_VERSION = 2;
/** The first version with offsets and packed numbers. */
export const OFFSETS_VERSION = 4;
export const HEADER_BYTES = 48;
export const LANGUAGE_BYTES = 16;
export const SECTION_ENTRY_BYTES = 16;

export const SECTION = {
  counts: 1,
  idsIndex: 2,
  idsBytes: 3,
  termsIndex: 4,
  termsBytes: 5,
  searchFieldsIndex: 6,
  searchFieldsBytes: 7,
  signatureStarts: 8,
  signatureFields: 9,
  signatureFrequencies: 10,
  norms: 11,
  variantRowStarts: 12,
  firstVariantRows: 13,
  withoutVariants: 14,
  termPostings: 16,
  variantTermPostings: 24,
  valuePostings: 32,
  variantValuePostings: 40,
  facetNamesIndex: 48,
  facetNamesBytes: 49,
  facetFields: 50,
  sameKey: 51,
  valueTextIndex: 52,
  valueTextBytes: 53,
  valueNumbers: 54,
  valueIdsIndex: 55,
  valueIdsBytes: 56,
  valueIdOf: 57,
  filterOnly: 58,
  productValueStarts: 59,
  productDeltas: 60,
  variantValueStarts: 61,
  variantDeltas: 62,
  columnNamesIndex: 64,
  columnNamesBytes: 65,
  columnTable: 66,
  columnValues: 67,
  columnRows: 68,
  columnKeysIndex: 69,
  columnKeysBytes: 70,
  storedBlocksIndex: 72,
  storedBlocksBytes: 73,
  storedBlockOf: 74,
  storedChunks: 75,
  storedOffsets: 76,
  titleCodes: 80,
  titleFieldsIndex: 81,
  titleFieldsBytes: 82,
  titleBlocks: 83,
  titleStarts: 84,
  titleBytes: 85,
  stemFormHeads: 86,
  stemFormBytes: 87,
  titleHeads: 88,
} as const;

/** First section number and name of each group of sections, for accounting and error messages. */
const NAMES: readonly (readonly [number, string])[] = [
  [1, "counts"],
  [2, "ids"],
  [4, "terms"],
  [6, "search-fields"],
  [8, "signatures"],
  [11, "norms"],
  [12, "variant-rows"],
  [16, "term-postings"],
  [24, "variant-term-postings"],
  [32, "value-postings"],
  [40, "variant-value-postings"],
  [48, "facet-fields"],
  [51, "facet-values"],
  [55, "facet-ids"],
  [58, "facet-values"],
  [59, "facet-rows"],
  [64, "columns"],
  [69, "column-keys"],
  [72, "stored"],
  [77, "unknown"],
  [80, "titles"],
  [86, "title-stems"],
  [88, "title-heads"],
  [89, "unknown"],
];

export function sectionName(section: number): string {
  let name = "unknown";
  for (const [first, text] of NAMES) {
    if (first > section) break;
    name = text;
  }
  return name;
}

/** Sections of posting lists, relative to a base number (postings/format.ts). */
export const PART = {
  directory: 0,
  data: 1,
  blockLast: 2,
  blockOffset: 3,
  blockWidths: 4,
  words: 5,
} as const;
