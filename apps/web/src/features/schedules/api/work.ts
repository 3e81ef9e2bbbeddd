import { getThreadModel } from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { modelKeys } from "../../../lib/query-keys.ts";

/** Whether the person may choose another model than the workspace's. */
export const choosesModelQuery = (slug: string) =>
  queryOptions({
    queryKey: modelKeys.ofThread(slug, null),
    queryFn: ({ signal }) => call(getThreadModel, { slug, thread: null }, { signal }),
    select: (reply) => reply.mayChoose,
    enabled: slug !== "",
  });
