/** Lists of rows in blocks of 128, bit-packed, skippable. */
