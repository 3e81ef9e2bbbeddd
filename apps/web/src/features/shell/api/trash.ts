import { purgeThread, restoreThread } from "@carrel/contracts";
import { call } from "../../../lib/api.ts";
import { queryClient } from "../../../lib/query-client.ts";

const changed = async (slug: string): Promise<void> => {
  await Promise.all([
    queryClient.invalidateQueries({ queryKey: ["trash", slug] }),
    queryClient.invalidateQueries({ queryKey: ["threads", slug] }),
  ]);
};

export async function bringBack(slug: string, threadSlug: string): Promise<void> {
  await call(restoreThread, { slug, threadSlug });
  await changed(slug);
}

export async function deleteForGood(slug: string, threadSlug: string): Promise<void> {
  await call(purgeThread, { slug, threadSlug });
  await changed(slug);
}
