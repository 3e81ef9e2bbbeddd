import { getWorkspacePicture, listWorkspaces } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { addressOf } from "./address.ts";
import { authorization, call } from "./api.ts";
import { workspaceKeys } from "./query-keys.ts";

export const workspacesQuery = queryOptions({
  queryKey: workspaceKeys.list,
  queryFn: ({ signal }) => call(listWorkspaces, {}, { signal }),
  select: (reply) => reply.workspaces,
});

/**
 * The picture's bytes, fetched because an `img` can't send the session token; null without one.
 * `file` changes with the picture.
 */
export const workspacePictureQuery = (slug: string, file: string | null) =>
  queryOptions({
    queryKey: workspaceKeys.picture(slug, file),
    enabled: file !== null,
    staleTime: Infinity,
    retry: false,
    queryFn: async ({ signal }): Promise<Blob | null> => {
      const response = await fetch(addressOf(getWorkspacePicture, { slug }).url, {
        headers: authorization(),
        signal,
      });
      return response.status === 200 ? response.blob() : null;
    },
  });
