import { listSkillPermissions, removeSkillPermission } from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

const key = ["allowed-tools"];

/** Refetched when opened, because approvals in chats add to it. */
export const allowedToolsQuery = queryOptions({
  queryKey: key,
  staleTime: 0,
  queryFn: ({ signal }) => call(listSkillPermissions, {}, { signal }),
  select: (reply) => reply.permissions,
});

export const useRemoveAllowedTool = () =>
  useMutation({
    mutationFn: (skillName: string) => call(removeSkillPermission, { skillName }),
    meta: {
      invalidates: [key],
      errorToast: (message) => i18next.t("account:allowed.notRemoved", { message }),
    },
  });
