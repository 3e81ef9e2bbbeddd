import { originOf, type Connection } from "./connection.ts";
import { Failure } from "./failure.ts";

export interface Workspace {
  id: number;
  name: string;
  slug: string;
}

/** A text as the API accepts it (wire-contract 10). */
export interface SavedText {
  textContent: string;
  metadata: {
    title: string;
    url: string;
    docAuthor?: string;
    description?: string;
    published?: string;
  };
}

async function send(
  connection: Connection,
  method: string,
  path: string,
  body?: object,
): Promise<Response> {
  try {
    return await fetch(`${connection.api}/browser-extension/${path}`, {
      method,
      headers: {
        authorization: `Bearer ${connection.key}`,
        ...(body && { "content-type": "application/json" }),
      },
      ...(body && { body: JSON.stringify(body) }),
      credentials: "omit",
      cache: "no-store",
    });
  } catch {
    throw new Failure("failedUnreachable", originOf(connection));
  }
}

/** The reason in the body of a refusal; proxies reply with pages instead. */
async function reasonOf(response: Response): Promise<string> {
  try {
    const { error } = (await response.json()) as { error?: unknown };
    if (typeof error === "string" && error !== "") return error;
  } catch {
    // Not JSON.
  }
  return `HTTP ${response.status}`;
}

async function call(
  connection: Connection,
  method: string,
  path: string,
  body?: object,
): Promise<unknown> {
  const response = await send(connection, method, path, body);
  const otherServer = new Failure("failedOtherServer", originOf(connection));
  if (response.ok) {
    return response.json().catch(() => {
      throw otherServer;
    });
  }
  if (response.status === 401) throw new Failure("failedAccount");
  if (response.status === 403) throw new Failure("failedKey");
  if (response.status === 404)
    throw path === "embed-content" ? new Failure("failedWorkspace") : otherServer;
  if (response.status === 413) throw new Failure("failedTooLarge");
  throw new Failure("failedServer", await reasonOf(response));
}

/** Checks the connection and returns the workspaces that the key's owner may use. */
export async function listWorkspaces(connection: Connection): Promise<Workspace[]> {
  const { workspaces } = (await call(connection, "GET", "check")) as { workspaces?: Workspace[] };
  if (!Array.isArray(workspaces)) throw new Failure("failedOtherServer", originOf(connection));
  return workspaces.map(({ id, name, slug }) => ({ id, name, slug }));
}

/** Waits until the text is in the library or, in a workspace, searchable. */
export async function saveText(
  connection: Connection,
  workspaceId: number | null,
  text: SavedText,
): Promise<void> {
  if (workspaceId === null) await call(connection, "POST", "upload-content", text);
  else await call(connection, "POST", "embed-content", { workspaceId, ...text });
}

/** Deletes the key. */
export async function revokeKey(connection: Connection): Promise<void> {
  await call(connection, "DELETE", "disconnect");
}
