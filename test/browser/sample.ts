// The sample catalogue in the service of a stage, whatever the tests before have left there.
import { AisleClient, type Product } from "../../packages/client/src/index.ts";
import { sampleCatalogue } from "../../cli/sample-catalogue/index.ts";
import type { Stage } from "./stage.ts";

export async function loadSample(stage: Stage): Promise<void> {
  const aisle = new AisleClient({ url: stage.origin });
  const products = sampleCatalogue("en") as unknown as Product[];
  await aisle.import("sample", products, { locale: "en" });
}
