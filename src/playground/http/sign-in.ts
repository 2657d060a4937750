/** Whether the service knows who has just signed in. */
import { get } from "../logic/requests.ts";
import { CallError, type Client } from "./client.ts";

const TIMEOUT_MS = 10_000;

/** Null: it does, whatever the user may do; else why it does not. */
export async function refusedSignIn(client: Client): Promise<string | null> {
  try {
    const asked = get("/admin-api/v1/sessions");
    const { status } = await client.send(asked, AbortSignal.timeout(TIMEOUT_MS));
    return status === 401 ? "The service does not know this user with this password." : null;
  } catch (error) {
    if (error instanceof CallError) return error.message;
    throw error;
  }
}
