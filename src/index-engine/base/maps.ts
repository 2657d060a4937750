/** Maps whose values are created on first use. */

interface Insertable<Key, Value> {
  get(key: Key): Value | undefined;
  set(key: Key, value: Value): unknown;
}

/** The value of the key. If there is none, `make` creates it. */
export function getOrInsert<Key, Value>(map: Insertable<Key, Value>, key: Key, make: (key: Key) => Value): Value {
  let value = map.get(key);
  if (value === undefined) map.set(key, (value = make(key)));
  return value;
}

export function pushTo<Key, Item>(map: Insertable<Key, Item[]>, key: Key, item: Item): void {
  const list = map.get(key);
  if (list === undefined) map.set(key, [item]);
  else list.push(item);
}
