import {
  countVectors,
  deleteWorkspace,
  getWorkspacePicture,
  listSuggestedMessages,
  listWorkspaces,
  removeWorkspacePicture,
  resetVectorDatabase,
  setSuggestedMessages,
  updateWorkspace,
  uploadWorkspacePicture,
  type Args,
  type Out,
  type WorkspaceWire,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import {
  addressOf,
  authorization,
  call,
  failureOf,
  routeOf,
  watchStatus,
} from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

export type SuggestedMessage = Out<typeof listSuggestedMessages>["suggestedMessages"][number];
export type WorkspaceChange = Omit<Args<typeof updateWorkspace>, "slug">;

/** The server's words for what went wrong. */
export const wordsOf = (error: unknown): string =>
  error instanceof Error ? error.message : String(error);

/**
 * Changes the fields given and no others; throws with the server's words, also where it refuses
 * with 200.
 */
export async function saveWorkspace(slug: string, change: WorkspaceChange): Promise<void> {
  const { workspace, message } = await call(updateWorkspace, { slug, ...change });
  if (!("slug" in workspace)) throw new Error(message ?? "");
  // What was saved is shown at once, as the server wrote it down.
  queryClient.setQueryData<Out<typeof listWorkspaces>>(
    ["workspaces"],
    (old) =>
      old && {
        ...old,
        workspaces: old.workspaces.map((each) => (each.id === workspace.id ? workspace : each)),
      },
  );
  void queryClient.invalidateQueries({ queryKey: ["workspaces"] });
}

export async function deleteWorkspaceForGood(slug: string): Promise<void> {
  await call(deleteWorkspace, { slug });
}

export const vectorCountQuery = (slug: string) =>
  queryOptions({
    queryKey: ["vector-count", slug],
    queryFn: ({ signal }) => call(countVectors, { slug }, { signal }),
    select: (reply) => reply.vectorCount,
  });

/** Takes all documents out of a workspace; their files stay in the library. */
export async function resetVectors(slug: string): Promise<void> {
  await call(resetVectorDatabase, { slug });
  for (const queryKey of [["vector-count", slug], ["document-counts"], ["documents", slug]])
    void queryClient.invalidateQueries({ queryKey });
}

export const suggestedMessagesQuery = (slug: string) =>
  queryOptions({
    queryKey: ["suggested-messages", slug],
    queryFn: ({ signal }) => call(listSuggestedMessages, { slug }, { signal }),
    select: (reply) => reply.suggestedMessages,
  });

/** These are the suggested messages from now on, in this order. */
export async function saveSuggestedMessages(
  slug: string,
  messages: SuggestedMessage[],
): Promise<void> {
  await call(setSuggestedMessages, { slug, messages });
  await queryClient.invalidateQueries({ queryKey: ["suggested-messages", slug] });
}

/**
 * The picture as bytes, fetched with the session (an `img` cannot carry it); null where there is
 * none.
 */
export const pictureQuery = ({ slug, pfpFilename }: Pick<WorkspaceWire, "slug" | "pfpFilename">) =>
  queryOptions({
    queryKey: ["workspace-picture", slug, pfpFilename],
    enabled: pfpFilename !== null,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const response = watchStatus(
        await fetch(addressOf(getWorkspacePicture, { slug }).url, {
          headers: authorization(),
          signal,
        }),
      );
      if (response.status === 204) return null;
      if (!response.ok) throw await failureOf(response);
      return response.blob();
    },
  });

async function sendPicture(
  operation: typeof uploadWorkspacePicture | typeof removeWorkspacePicture,
  slug: string,
  body: FormData | null,
): Promise<void> {
  const response = watchStatus(
    await fetch(addressOf(operation, { slug }).url, {
      method: routeOf(operation).method,
      headers: authorization(),
      body,
    }),
  );
  if (!response.ok) throw await failureOf(response);
  await queryClient.invalidateQueries({ queryKey: ["workspaces"] });
}

export async function uploadPicture(slug: string, file: File): Promise<void> {
  const form = new FormData();
  form.append("file", file, file.name);
  await sendPicture(uploadWorkspacePicture, slug, form);
}
export const removePicture = (slug: string): Promise<void> =>
  sendPicture(removeWorkspacePicture, slug, null);
