import { describeFlowRequests, listSharedFlows, type Out } from "@carrel/contracts";
import { keepPreviousData, queryOptions } from "@tanstack/react-query";
import { call } from "./api.ts";

export type SharedFlow = Out<typeof listSharedFlows>["flows"][number];
export type PlannedRequests = Out<typeof describeFlowRequests>;

export const sharedFlowKeys = {
  all: ["shared-flows"],
  requests: (id: string, inputs: Record<string, string>) => [
    "shared-flows",
    "requests",
    id,
    inputs,
  ],
} as const;

/** The flows that the person may run. */
export const sharedFlowsQuery = queryOptions({
  queryKey: sharedFlowKeys.all,
  queryFn: ({ signal }) => call(listSharedFlows, {}, { signal }),
  select: (reply) => reply.flows,
});

/** What a run of a flow with these inputs would request and ask. */
export const flowRequestsQuery = (id: string, inputs: Record<string, string>) =>
  queryOptions({
    queryKey: sharedFlowKeys.requests(id, inputs),
    queryFn: ({ signal }) => call(describeFlowRequests, { id, inputs }, { signal }),
    placeholderData: keepPreviousData,
    staleTime: 0,
    retry: false,
  });
