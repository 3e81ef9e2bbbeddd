import {
  answerStep,
  decideStep,
  readStep,
  type ApprovalDecision,
  type FormAnswer,
  type RunStep,
} from "@carrel/contracts";
import { queryOptions } from "@tanstack/react-query";
import { authorization, call, failureOf, isFailure, watchStatus } from "../../../lib/api.ts";
import { saveFile } from "../../../lib/download.ts";

/** Where a step is on the server. */
export interface StepAddress {
  /** The generation's ID. */
  id: string;
  step: number;
}

/** Resolves to whether the step was still waiting. */
export const decide = async (address: StepAddress, decision: ApprovalDecision): Promise<boolean> =>
  (await call(decideStep, { ...address, decision })).success;

/** Resolves to whether the step was still waiting. `null`: skipped. */
export const answer = async (
  address: StepAddress,
  answers: (FormAnswer | null)[],
): Promise<boolean> => (await call(answerStep, { ...address, answers })).success;

/** The whole input and result; the step itself has their beginnings. */
export const stepQuery = (address: StepAddress, state: RunStep["state"]) =>
  queryOptions({
    queryKey: ["step", address.id, address.step, state],
    queryFn: ({ signal }) => call(readStep, address, { signal }),
    staleTime: Infinity,
    gcTime: 60_000,
    retry: false,
  });

/** Saves a file that a step has made. `file`: the last part of its address. */
export async function saveGenerated(file: string, name: string): Promise<void> {
  const response = watchStatus(
    await fetch(`/api/agent-skills/generated-files/${encodeURIComponent(file)}`, {
      headers: authorization(),
    }),
  );
  if (isFailure(response)) throw await failureOf(response);
  await saveFile(response, name);
}
