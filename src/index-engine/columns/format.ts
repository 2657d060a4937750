/**
 * Columns: what hits are sorted and scored by. One record of 16 u32 per column in section `columnTable`:
 *
 *    0  name (entry of the names) << 3 | own << 1 | kind (0 numbers, 1 strings)
 *    1  strings: first entry of the column's keys in the key table
 *    2  strings: number of keys
 *    3  zero
 *    4  vector min      products with any value, their own or a variant's: the smallest
 *    7  vector max      products whose largest value is another
 *   10  vector own      depends on `own`, the smallest value of the product itself:
 *                         0 equals min everywhere   1 no product has one   2 the vector lists the products where it differs from
 *                         min (missing included)    3 the vector has all of them
 *   13  vector variant  variant rows with values of their own: the smallest
 *
 *   vector = u32 x 3: count << 1 | dense, place of the rows in the u32 pool, place of the values
 *     sparse: `count` rows, ascending, and as many values; dense: one value for every row
 *     dense is chosen where it is not larger; a dense vector cannot be a list of differences (own = 2)
 *   values are f64 in the f64 pool (NaN = missing) or ordinals of keys in the u32 pool (MISSING = missing)
 *
 * Keys of all string columns are in one table, each column's beginning a block of it.
 */
export const COLUMN_RECORD = 16;
export const VECTOR = { min: 4, max: 7, own: 10, variant: 13 } as const;
export const OWN = { same: 0, none: 1, differences: 2, all: 3 } as const;
/** A missing string ordinal. */
export const MISSING = 0xffffffff;
