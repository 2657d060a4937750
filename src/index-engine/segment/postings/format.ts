/**
 * Posting lists in bytes. Six sections from a base number on:
 *
 *   base+0 directory u32: 1st word = bits of a row number (rowBits), + SPARSE where half of the lists or more have no
 *   rows,
 *            + ALPHABETS where lists with blocks have an alphabet, + bits of an entry << ENTRY_BITS_AT; then the number
 *            of lists.
 *            Then packed entries of all lists. SPARSE: ranked bits of lists with rows, then entries of those
 *            0                        no rows
 *            highest bit | code << rowBits | row   one row (when its code fits into 31 - rowBits bits)
 *            other                    byte offset of the list in the data
 *   base+1 data u8: byte 0 is a filler (0 means "no rows"), then lists, at the end 8 zero bytes (so that 5-byte reads
 *   stay inside)
 *            list = u16 [bits 0-4: gap bits, 5-9: code bits, 10-15: count of rows, 63 = a varint count follows]
 *                   count >= 128: varint number of its first block; ALPHABETS: varint length, then its codes as
 *                   varints, the most frequent
 *                     first. Codes of the list are places in that alphabet. Length 0, for more than MOST_LETTERS: they
 *                     are the codes
 *                   tail, when count % 128 > 0: one run of bits, lowest first, filled up to a byte:
 *                     first row (rowBits), then each gap - 1 (gap bits), then each code (code bits)
 *   base+2 block last rows u32 [blocks]
 *   base+3 block offsets u32 [blocks], in words of base+5
 *   base+4 block widths u16 [blocks]: gap bits | EXCEPTIONS where there are any | code bits << 8
 *   base+5 words u32: per block the lowest gap bits of 128 gaps - 1 (the first against the block before, or row -1),
 *   then the lowest code bits
 *            of 128 codes, 4 words per bit; then exceptions, in units of 16 bits, the lower half of a word first:
 *              number of gaps that are larger | number of codes that are larger << 8
 *              each of them, ascending, gaps first: place in the block | higher bits << 7
 *
 * A block is 128 rows; only lists of 128 rows and more have any, their blocks are consecutive. What `advance` skips by
 * is one plain array of last rows. Row numbers and codes are below 2^31. Lists without codes have 0 code bits and no
 * alphabet.
 *
 * Example of a block: gaps - 1 are 0, 300, and then 0 and 1 in turn; codes are the places 0 and 1 in turn. Both take 1
 * bit, 4 words each. The words after them are 0001 (one gap, no code) and 4b01 (place 1, and 300 >> 1 = 150, << 7).
 */
export const BLOCK = 128;
export const TAIL_PADDING_BYTES = 8;

/** Flags in the first word of a directory. */
export const SPARSE = 0x100;
export const ALPHABETS = 0x200;
export const ENTRY_BITS_AT = 16;
/** The highest bit of an entry, when read. */
export const INLINE = 0x80000000;
export const COUNT_FOLLOWS = 63;
/** Length of the longest alphabet. */
export const MOST_LETTERS = 512;

/** Flag in the widths of a block. */
export const EXCEPTIONS = 0x80;
/** Bits of an exception's place; the other bits of 16 are the higher bits of its value. */
export const PLACE_BITS = 7;
export const HIGH_BITS = 16 - PLACE_BITS;
