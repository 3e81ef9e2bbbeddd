export const json = "application/json; charset=utf-8";
export const text = "text/plain; charset=utf-8";
export const stream = "text/event-stream";

/** One call of a route and its reply; `keys` are all keys of a JSON body. */
export interface Row {
  operation: string;
  call: [method: string, path: string, body?: unknown];
  status: number;
  type: string | null;
  keys?: string[];
  body?: unknown;
}
export const row = (
  operation: string,
  call: Row["call"],
  status: number,
  type: string | null,
  more: Pick<Row, "keys" | "body"> = {},
): Row => ({ operation, call, status, type, ...more });
