/** Indexes that are no longer needed: a change of the configuration need not notify them. */
import { inside } from "./faults.ts";

/** As if the catalog had never known any index but these. */
export async function forgetIndexes(except: readonly string[] = []): Promise<void> {
  await inside("CATALOG", "catalog", ({ sql }) => {
    const names = JSON.stringify(except);
    sql.exec("DELETE FROM names WHERE name NOT IN (SELECT value FROM json_each(?))", names);
  });
}
