/** A client of V8's inspector in workerd, for the isolate that Worker and objects share. */

/** Sends one command and returns its result. */
export type Send = (method: string, params?: object) => Promise<unknown>;

export async function inspected<T>(port: number, body: (send: Send) => Promise<T>): Promise<T> {
  const targets = (await (await fetch(`http://127.0.0.1:${port}/json`)).json()) as {
    readonly webSocketDebuggerUrl: string;
  }[];
  const socket = new WebSocket(targets[0].webSocketDebuggerUrl);
  await new Promise((resolve, reject) => {
    socket.addEventListener("open", resolve);
    socket.addEventListener("error", reject);
  });
  let last = 0;
  try {
    return await body(
      (method, params = {}) =>
        new Promise((resolve) => {
          const id = ++last;
          const onMessage = ({ data }: MessageEvent): void => {
            const message = JSON.parse(String(data)) as {
              readonly id?: number;
              readonly result?: unknown;
            };
            if (message.id !== id) return;
            socket.removeEventListener("message", onMessage);
            resolve(message.result);
          };
          socket.addEventListener("message", onMessage);
          socket.send(JSON.stringify({ id, method, params }));
        }),
    );
  } finally {
    socket.close();
  }
}
