import type { TestInstance } from "./instance.ts";

/** Values from earlier rows, for later ones. */
export type World = Record<string, string>;

type Bearer = "none" | "admin" | "key" | "brx" | "user";

export interface AccessRow {
  operation: string;
  bearer: Bearer;
  call: (world: World) => [method: string, path: string, body?: unknown];
  status: number;
  kind: "json" | "text" | "empty" | "bytes";
  /** Parts of the body, or the whole text. */
  body?: unknown;
  keep?: (answer: never, world: World) => void;
}

export const row = (
  operation: string,
  bearer: Bearer,
  call: AccessRow["call"],
  body?: unknown,
  more: Partial<AccessRow> = {},
): AccessRow => ({
  operation,
  bearer,
  call,
  status: 200,
  kind: "json",
  ...(body === undefined ? {} : { body }),
  ...more,
});

export async function callRow(
  { call, bearer }: AccessRow,
  instance: Pick<TestInstance, "call">,
  world: World,
): ReturnType<TestInstance["call"]> {
  const [method, path, body] = call(world);
  return instance.call(
    method,
    `/api${path}`,
    body,
    bearer === "none" ? {} : { authorization: `Bearer ${world[bearer]}` },
  );
}
