import type { Operation } from "@carrel/contracts";
import { password, type Caller, type Resource, type Things, type World } from "./world.ts";

/** One call of an operation, built from the resources it refers to. */
export interface Fixture {
  /**
   * The kinds of another person's or nonexistent resources that the call can refer to; each is
   * tried separately.
   */
  names: Resource[];
  /** Further kinds, which are off limits to restricted API keys only. */
  unrestricted?: Resource[];
  /** A text in the reply to a key that may use the things; restricted keys find only their own. */
  lists?(things: Things): string;
  /** Body, further parameters, and a separate session if the call ends the one it uses. */
  call(things: Things, world: World, caller: Caller): Promise<Call> | Call;
  /**
   * The call deletes what it refers to, so it gets fresh resources, and visibility of a foreign one
   * is not tried.
   */
  deletes?: boolean;
  /**
   * Statuses for a permitted caller; defaults to the contract's. Lists rejections for reasons other
   * than permissions.
   */
  allowed?: number[];
}
export interface Call {
  params?: Record<string, string | number>;
  query?: Record<string, string | number>;
  body?: unknown;
  token?: string | null;
}

export const plain: Fixture = { names: [], call: () => ({}) };
export const inWorkspace = (body?: unknown): Fixture => ({
  names: ["workspace"],
  call: ({ slug }) => ({ params: { slug }, body }),
});
export const inThread = (body?: unknown): Fixture => ({
  names: ["workspace", "thread"],
  call: ({ slug, threadSlug }) => ({ params: { slug, threadSlug }, body }),
});
/** A multipart body with one field. */
export const form = (
  field: string,
  content: Uint8Array<ArrayBuffer> | string,
  filename: string,
  type: string,
  more: Record<string, string> = {},
): FormData => {
  const data = new FormData();
  for (const [name, value] of Object.entries(more)) data.set(name, value);
  data.set(field, new Blob([content], { type }), filename);
  return data;
};
/** A one-pixel PNG. */
export const pixel = Uint8Array.from(
  Buffer.from(
    "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==",
    "base64",
  ),
);
/**
 * A user created for this call alone; in single-user mode the route is closed before the user is
 * looked up.
 */
export const freshUser = async (world: World): Promise<number> =>
  world.mode === "multi" ? (await world.makeUser()).id : 1;
export const freshInvite = async (world: World): Promise<{ id: number; code: string }> =>
  world.mode === "multi"
    ? (
        await world.root.json<{ invite: { id: number; code: string } }>(
          "POST",
          "/admin/invite/new",
          {},
        )
      ).invite
    : { id: 1, code: "none" };
export const freshKey = async (world: World): Promise<number> =>
  (
    await world.root.json<{ apiKey: { id: number } }>(
      "POST",
      world.mode === "multi" ? "/admin/generate-api-key" : "/system/generate-api-key",
      {},
    )
  ).apiKey.id;
export const freshVariable = async (world: World): Promise<number> =>
  (
    await world.root.json<{ variable: { id: number } }>("POST", "/system/prompt-variables", {
      key: `fresh_${Math.random().toString(36).slice(2, 10)}`,
      value: "x",
    })
  ).variable.id;
/** A session for a call that ends sessions or changes their account. */
export async function freshSession(
  world: World,
  caller: Caller,
): Promise<{ token?: string | null }> {
  if (caller.kind !== "session") return {};
  if (world.mode === "single") return { token: (await world.signIn("", password)).token };
  const user = await world.makeUser(caller.role);
  return { token: (await world.signIn(user.username, password)).token };
}

/** A fixture, and the operation it calls or the name of one of its alternative routes. */
export type Entry = [Operation | string, Fixture];
