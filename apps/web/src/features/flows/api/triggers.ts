import {
  deleteFlowTrigger,
  listFlowTriggers,
  rotateFlowHookSecret,
  setFlowTrigger,
  type Args,
  type FlowTriggerKind,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

const triggerKeys = { of: (flowId: string) => ["flows", "triggers", flowId] } as const;

/** What can start a flow besides people and agents. */
export const triggersQuery = (flowId: string) =>
  queryOptions({
    queryKey: triggerKeys.of(flowId),
    queryFn: ({ signal }) => call(listFlowTriggers, { id: flowId }, { signal }),
    select: (reply) => reply.triggers,
    staleTime: 0,
  });

/** Adds a trigger, or changes what its runs may do; the secret of a new webhook is dropped soon. */
export const useSetTrigger = (flowId: string) =>
  useMutation({
    mutationFn: (input: Omit<Args<typeof setFlowTrigger>, "id">) =>
      call(setFlowTrigger, { id: flowId, ...input }),
    gcTime: 0,
    meta: { invalidates: [triggerKeys.of(flowId)], errorToast: false },
  });

export const useRotateSecret = (flowId: string) =>
  useMutation({
    mutationFn: async () => (await call(rotateFlowHookSecret, { id: flowId })).secret,
    gcTime: 0,
    meta: { errorToast: (message) => i18next.t("flows:trigger.rotateFailed", { message }) },
  });

export const useDeleteTrigger = (flowId: string) =>
  useMutation({
    mutationFn: (kind: FlowTriggerKind) => call(deleteFlowTrigger, { id: flowId, kind }),
    meta: {
      invalidates: [triggerKeys.of(flowId)],
      errorToast: (message) => i18next.t("flows:trigger.removeFailed", { message }),
    },
  });
