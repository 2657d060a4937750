/**
 * The bytes of posting lists: six sections, numbered from a base on.
 *
 *   base+0 directory u32: list -> entry
 *            word 0   bits of a row number (rowBits), SPARSE if at least half of the lists are empty, ALPHABETS if lists
 *                     with blocks have an alphabet, bits of an entry << ENTRY_BITS_AT
 *            word 1   number of lists
 *            then     packed entries of all lists; if SPARSE, ranked bits of the lists with rows and the entries of
 *                     those. An entry is one of
 *                       0                                     no rows
 *                       highest bit | code << rowBits | row   one row, if its code fits into 31 - rowBits bits
 *                       byte offset of the list in the data
 *   base+1 data u8: one unused byte (offset 0 means "no rows"), lists, 8 zero bytes (so 5-byte reads stay inside)
 *            list     u16: bits 0-4 gap bits, 5-9 code bits, 10-15 number of rows (63 = a varint number follows)
 *                     if it has 128 rows or more: varint number of its first block. With ALPHABETS: varint length of
 *                       the alphabet, then its codes as varints, the most frequent first. The codes of the list are
 *                       then indexes into the alphabet. Length 0: more than MOST_LETTERS codes, which are not replaced
 *                     rows % 128 > 0: the tail, as bits, lowest first, padded to a byte: first row (rowBits), then each
 *                       gap - 1 (gap bits), then each code (code bits)
 *   base+2 block last rows u32 [blocks]
 *   base+3 block offsets u32 [blocks], in words of base+5
 *   base+4 block widths u16 [blocks]: gap bits | EXCEPTIONS if there are any | code bits << 8
 *   base+5 words u32, per block:
 *            the lowest gap bits of 128 gaps - 1 (the first from the previous block, or from row -1)
 *            the lowest code bits of 128 codes; both take 4 words per bit
 *            exceptions, in units of 16 bits, the lower half of a word first:
 *              number of larger gaps | number of larger codes << 8
 *              each of them, gaps first, ascending: index in the block | its higher bits << 7
 *
 * A block has 128 rows. Only lists with 128 rows or more have blocks, which are consecutive. `advance` skips by the
 * array of last rows. Row numbers and codes are below 2^31. Lists without codes have 0 code bits and no alphabet.
 *
 * Example of a block: gaps - 1 are 0, 300, then 0 and 1 in turn; codes are 0 and 1 in turn. Both take 1 bit, so 4 words
 * each. The next word is 0001 (one gap, no code) and 4b01 (index 1, and 300 >> 1 = 150, << 7).
 */
export const BLOCK = 128;
export const TAIL_PADDING_BYTES = 8;

/** Flags in the first word of a directory. */
export const SPARSE = 0x100;
export const ALPHABETS = 0x200;
export const ENTRY_BITS_AT = 16;
/** The highest bit of an entry after reading it. */
export const INLINE = 0x80000000;
export const COUNT_FOLLOWS = 63;
/** Length of the longest alphabet. */
export const MOST_LETTERS = 512;

/** Flag in the widths of a block. */
export const EXCEPTIONS = 0x80;
/** Bits of an exception's index in the block. The rest of its 16 bits are the higher bits of its value. */
export const PLACE_BITS = 7;
export const HIGH_BITS = 16 - PLACE_BITS;
