import { listSkillPermissions, removeSkillPermission } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "./api.ts";

const key = ["allowed-skills"];

/** Refetched when opened, because approvals in chats add to it. */
export const allowedSkillsQuery = queryOptions({
  queryKey: key,
  staleTime: 0,
  queryFn: ({ signal }) => call(listSkillPermissions, {}, { signal }),
  select: (reply) => reply.permissions,
});

export const useRemoveAllowedSkill = () =>
  useMutation({
    mutationFn: (skillName: string) => call(removeSkillPermission, { skillName }),
    meta: {
      invalidates: [key],
      errorToast: (message) => i18next.t("agents:allowed.notRemoved", { message }),
    },
  });
