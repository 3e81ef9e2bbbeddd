import {
  getAgentModel,
  getWorkspaceSkills,
  setWorkspaceSkills,
  type Args,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import { call } from "../../../lib/api.ts";
import { agentKeys } from "../../../lib/query-keys.ts";

export const workspaceSkillsQuery = (slug: string) =>
  queryOptions({
    queryKey: agentKeys.workspace(slug),
    queryFn: ({ signal }) => call(getWorkspaceSkills, { slug }, { signal }),
    select: (reply) => reply.skills,
  });

export const agentModelQuery = (slug: string) =>
  queryOptions({
    queryKey: agentKeys.model(slug),
    queryFn: ({ signal }) => call(getAgentModel, { slug }, { signal }),
    select: (reply) => reply.callsTools,
  });

export const useSaveWorkspaceSkills = (slug: string) =>
  useMutation({
    mutationFn: (off: Args<typeof setWorkspaceSkills>["off"]) =>
      call(setWorkspaceSkills, { slug, off }),
    meta: { invalidates: [agentKeys.workspace(slug)], errorToast: false },
  });
