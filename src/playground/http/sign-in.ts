/** Verifies credentials with the service. */
import { get } from "../logic/requests.ts";
import { CallError, type Client } from "./client.ts";

const TIMEOUT_MS = 10_000;

/** Null: the credentials are valid, whatever the user's roles; otherwise the reason. */
export async function refusedSignIn(client: Client): Promise<string | null> {
  try {
    const asked = get("/admin-api/v1/sessions");
    const { status } = await client.send(asked, AbortSignal.timeout(TIMEOUT_MS));
    return status === 401 ? "The user name or the password is wrong." : null;
  } catch (error) {
    if (error instanceof CallError) return error.message;
    throw error;
  }
}
