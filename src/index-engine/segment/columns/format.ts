/**
 * Columns: values for sorting and scoring. Section `columnTable` has a record of 24 u32 per column:
 *
 *    0  name (entry of the names) << 3 | own << 1 | kind (0 numbers, 1 strings)
 *    1  strings: first entry of the column's texts in the key table
 *    2  strings: number of texts
 *    3  strings: place of the words in the u32 pool plus 1 (words.ts), 0 = texts are stored unchanged
 *    4  vector min      products with a value, their own or a variant's: the smallest
 *    9  vector max      products with a larger value: the largest
 *   14  vector own      the smallest value of the product itself, depending on `own`:
 *                         0 the same as min everywhere    1 no product has one
 *                         2 the vector lists products whose value differs from min or is missing
 *                         3 the vector has all of them
 *   19  vector variant  variant rows with values of their own: the smallest
 *
 *   vector = u32 x 5: count << 2 | mode, place of the rows in the u32 pool, place of the values, coding, base (as i32)
 *     mode    0 list: `count` rows, ascending, and as many values
 *             1 bits: ranked bits of all rows (base/ranked-bits.ts), and `count` values in the order of the rows
 *             2 dense: `count` = one value for every row
 *             The smallest is used, and of equal ones the last. A list of differences (own = 2) is never dense
 *     coding  width of a value in bits (1-32, 64) | decimals << 8
 *     place   in words of 32 bits; doubles start at an even one
 *     1-32    value = (base + code) / 10^decimals, which is exactly the double that was sent. All ones = missing
 *     64      the double itself, NaN = missing, for values that are not integers with up to 4 decimals in 32 bits
 *   Strings are ordinals of keys, so base and decimals are 0.
 *
 *   12.99, 3, missing, 7.5    ->    10 bits, decimals 2, base 300: codes 999, 0, 1023, 450
 *
 * Only the text of a sort key is stored; its folded part is computed (keys.ts). One table has the texts of all string
 * columns in key order. The texts of each column start a block, and its words, if it has any, are in the blocks before.
 */
export const COLUMN_RECORD = 24;
export const VECTOR = { min: 4, max: 9, own: 14, variant: 19 } as const;
export const VECTOR_WORDS = 5;
export const OWN = { same: 0, none: 1, differences: 2, all: 3 } as const;
export const MODE = { list: 0, bits: 1, dense: 2 } as const;
export const MOST_DECIMALS = 4;
