/**
 * A sink for InstantSearch's events: `instantsearch({insights: {insightsClient:
 * insightsSink(onEvent)}})`.
 *
 * Aisle does not record events. `onEvent` receives them and forwards them to the shop's analytics.
 */
export interface InsightsEvent {
  /** As of search-insights: `viewedObjectIDs`, `clickedObjectIDsAfterSearch`, `convertedObjectIDs`, … */
  readonly method: string;
  /** `eventName`, `index`, `objectIDs`, `positions`, `queryID`, … */
  readonly payload: Readonly<Record<string, unknown>>;
  /** Null until `setUserToken` is called. */
  readonly userToken: string | null;
}

export interface InsightsSink {
  (method: string, ...parameters: readonly unknown[]): void;
  /** Supported version of the search-insights interface. */
  readonly version: string;
}

type TokenListener = (token: string) => void;

export function insightsSink(onEvent: (event: InsightsEvent) => void): InsightsSink {
  if (typeof onEvent !== "function") {
    throw new TypeError("insightsSink needs a function that receives the events, because Aisle does not record them");
  }
  let userToken: string | null = null;
  let listener: TokenListener | null = null;

  const call = (method: string, ...parameters: readonly unknown[]): void => {
    const [first, second] = parameters;
    switch (method) {
      case "init":
        setToken(memberOf(first, "userToken"));
        return;
      case "setUserToken":
        setToken(first);
        return;
      case "getUserToken":
        if (typeof second === "function") second(null, userToken ?? undefined);
        return;
      case "onUserTokenChange":
        listener = typeof first === "function" ? (first as TokenListener) : null;
        if (userToken !== null && memberOf(second, "immediate") === true) listener?.(userToken);
        return;
      case "setAuthenticatedUserToken":
      case "onAuthenticatedUserTokenChange":
      case "addAlgoliaAgent":
        return;
      case "sendEvents":
        for (const event of Array.isArray(first) ? (first as unknown[]) : []) {
          onEvent({ method: "sendEvents", payload: recordOf(event), userToken });
        }
        return;
      default:
        onEvent({ method, payload: recordOf(first), userToken });
    }
  };
  const setToken = (token: unknown): void => {
    if (typeof token !== "string" && typeof token !== "number") return;
    userToken = String(token);
    listener?.(userToken);
  };
  return Object.assign(call, { version: "2.17.2" });
}

function recordOf(value: unknown): Record<string, unknown> {
  return typeof value === "object" && value !== null ? { ...value } : {};
}

function memberOf(value: unknown, name: string): unknown {
  return recordOf(value)[name];
}
