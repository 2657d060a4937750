/** Bytes, bits, strings in bytes, hashes, steps and work budgets: utilities independent of search. */
export {
  andInto,
  andNotInto,
  bitsOf,
  countBelow,
  countBits,
  emptyBits,
  firstBehind,
  fullBits,
  hasBit,
  hasBitIn,
  invert,
  lowerBound,
  orInto,
  popcount,
  rowsOf,
  setBit,
  setRange,
  wordsFor,
  writeRows,
} from "./bits.ts";
export {
  GrowableBytes,
  GrowableF64,
  GrowableU32,
  MOST_DIGITS,
  bitWidth,
  copyBytes,
  putDecimal,
  release,
  sumOfBytes,
} from "./bytes.ts";
export { ByteCache, ENTRY_OVERHEAD_BYTES } from "./byte-cache.ts";
export { Checksum, checksum32 } from "./checksum.ts";
export { PiecedBytes, PiecedRecords, PiecedU32 } from "./chunks.ts";
export { hashOfBytes } from "./hash.ts";
export { identityOf } from "./identity.ts";
export { getOrInsert, pushTo } from "./maps.ts";
export { compareBytes, compareCodePoints, sortByCodePoints, sortInStepsBy } from "./order.ts";
export { type CopyableBytes, type Placed, PlacedBytes, wholeBytes } from "./placed-bytes.ts";
export { Offsets, packOffsets } from "./offsets.ts";
export { OwnedCache } from "./owned-cache.ts";
export { packedAt, PackedNumbers, packedWords, packInto, packNumbers } from "./packed-numbers.ts";
export { rank, rankedWords, writeCounts } from "./ranked-bits.ts";
export { SeenBefore } from "./seen-before.ts";
export { run } from "./steps.ts";
export { StringNumbers } from "./string-numbers.ts";
export { decodeUtf8, encodeToScratch, scratchBytes, scratchHash, utf8Of } from "./utf8.ts";
export { readVarint, varint } from "./varint.ts";
export { fitsWildcard } from "./wildcard.ts";
export { budgetOf, MustBeginAgain, TURN_STEPS, work, type Parts } from "./work.ts";
