import {
  answerFlowRun,
  cancelFlowRun,
  getFlowRun,
  listFlowRuns,
  readFlowRunResult,
  rerunFlow,
  startFlowRun,
  watchFlowRun,
  type Args,
  type FlowRunFrame,
  type FlowRunState,
  type FlowRunWire,
  type Out,
} from "@carrel/contracts";
import { infiniteQueryOptions, queryOptions, useMutation } from "@tanstack/react-query";
import { useEffect } from "react";
import { addressOf } from "../../../lib/address.ts";
import { call } from "../../../lib/api.ts";
import { onChange } from "../../../lib/changes.ts";
import { follow } from "../../../lib/event-stream.ts";
import { loadFaultTexts } from "../../../lib/fault.ts";
import { queryClient } from "../../../lib/query-client.ts";

export interface RunFilter {
  /** Its ID; null: all. */
  flow: string | null;
  state: FlowRunState | null;
}

const runKeys = {
  lists: ["flow-runs", "list"],
  list: (filter: RunFilter) => ["flow-runs", "list", filter.flow, filter.state],
  run: (id: string) => ["flow-runs", "run", id],
  result: (id: string, path: string) => ["flow-run-results", id, path],
} as const;

export const hasEnded = (state: FlowRunState): boolean =>
  state === "done" || state === "failed" || state === "denied" || state === "cancelled";

/** Runs, the latest first. */
export const runsQuery = (filter: RunFilter) =>
  infiniteQueryOptions({
    queryKey: runKeys.list(filter),
    queryFn: ({ signal, pageParam }) =>
      call(
        listFlowRuns,
        {
          ...(filter.flow !== null && { flowId: filter.flow }),
          ...(filter.state !== null && { state: filter.state }),
          ...(pageParam !== null && { after: pageParam }),
        },
        { signal },
      ),
    initialPageParam: null as string | null,
    getNextPageParam: (page) => page.next,
    staleTime: 0,
  });

export const runQuery = (id: string) =>
  queryOptions({
    queryKey: runKeys.run(id),
    queryFn: async ({ signal }): Promise<FlowRunWire> => {
      const run = await call(getFlowRun, { id }, { signal });
      if (run.fault !== null || run.blocks.some(({ fault }) => fault !== null))
        await loadFaultTexts();
      return run;
    },
    staleTime: 0,
  });

/** The whole result of a block that has ended, of which the run has the start. */
export const resultQuery = (id: string, path: string) =>
  queryOptions({
    queryKey: runKeys.result(id, path),
    queryFn: async ({ signal }): Promise<string> => {
      const pieces: string[] = [];
      for (let from: number | null = 0; from !== null;) {
        const piece: Out<typeof readFlowRunResult> = await call(
          readFlowRunResult,
          { id, path, from },
          { signal },
        );
        pieces.push(piece.text);
        from = piece.next;
      }
      return pieces.join("");
    },
    staleTime: Infinity,
  });

/** Refreshes lists and open runs when the server says that they have changed. */
export function useRunChanges(): void {
  useEffect(
    () =>
      onChange((frame) => {
        if (frame.type === "flow-run.changed") {
          void queryClient.invalidateQueries({ queryKey: runKeys.lists });
          void queryClient.invalidateQueries({ queryKey: runKeys.run(frame.runId) });
        } else if (frame.type === "reconnected" || frame.type === "connected")
          void queryClient.invalidateQueries({ queryKey: ["flow-runs"] });
      }),
    [],
  );
}

/** Shows the blocks of a run as they begin and end. */
export function useLiveRun(id: string, isLive: boolean): void {
  useEffect(() => {
    if (!isLive) return;
    const stop = new AbortController();
    void follow(
      addressOf(watchFlowRun, { id }).url,
      { onEvent: ({ data }) => applyFrame(id, JSON.parse(data) as FlowRunFrame) },
      stop.signal,
    );
    return () => stop.abort();
  }, [id, isLive]);
}

function applyFrame(id: string, frame: FlowRunFrame): void {
  if (frame.type !== "block") {
    void queryClient.invalidateQueries({ queryKey: runKeys.run(id) });
    return;
  }
  const { block } = frame;
  if (block.fault !== null) void loadFaultTexts();
  queryClient.setQueryData<FlowRunWire>(
    runKeys.run(id),
    (run) =>
      run && {
        ...run,
        blocks: [...run.blocks.filter(({ path }) => path !== block.path), block],
      },
  );
}

/** Its second route. */
const startInWorkspace = "POST /workspace/:slug/flows/:id/runs" as typeof startFlowRun;

export async function startRun(input: Args<typeof startFlowRun>): Promise<string> {
  const { id } = await call(input.slug === undefined ? startFlowRun : startInWorkspace, input);
  void queryClient.invalidateQueries({ queryKey: runKeys.lists });
  return id;
}

export const useCancelRun = (id: string) =>
  useMutation({
    mutationFn: () => call(cancelFlowRun, { id }),
    meta: { invalidates: [runKeys.run(id), runKeys.lists] },
  });

/** Returns the ID of the new run. */
export const useRerun = (id: string) =>
  useMutation({
    mutationFn: async (from: "start" | "end") => (await call(rerunFlow, { id, from })).id,
    meta: { invalidates: [runKeys.lists] },
  });

export const useAnswerRun = (id: string) =>
  useMutation({
    mutationFn: (answer: Pick<Args<typeof answerFlowRun>, "path" | "decision">) =>
      call(answerFlowRun, { id, ...answer }),
    meta: { invalidates: [runKeys.run(id), runKeys.lists] },
  });
