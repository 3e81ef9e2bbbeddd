import {
  createCredential,
  deleteCredential,
  listCredentials,
  replaceCredentialValue,
  updateCredentialHosts,
  type Args,
  type CredentialWire,
} from "@carrel/contracts";
import { queryOptions, useMutation } from "@tanstack/react-query";
import i18next from "i18next";
import { call } from "../../../lib/api.ts";

const credentialKeys = { list: ["flows", "credentials"] } as const;

export const credentialsQuery = queryOptions({
  queryKey: credentialKeys.list,
  queryFn: ({ signal }) => call(listCredentials, {}, { signal }),
  select: (reply) => reply.credentials,
});

export const loadCredentials = async (): Promise<CredentialWire[]> =>
  (await call(listCredentials, {})).credentials;

/** Those that a flow may use: its own, and the instance's. */
export const usableIn = (
  credentials: readonly CredentialWire[],
  flowId: string | null,
): CredentialWire[] =>
  credentials.filter(
    ({ name, owner }, _at, all) =>
      (owner.kind === "flow" && owner.id === flowId) ||
      (owner.kind === "instance" &&
        !all.some(
          (own) => own.name === name && own.owner.kind === "flow" && own.owner.id === flowId,
        )),
  );

// Errors are shown in the dialogs.
const inDialog = { invalidates: [credentialKeys.list], errorToast: false } as const;

export const useCreateCredential = () =>
  useMutation({
    mutationFn: (input: Args<typeof createCredential>) => call(createCredential, input),
    meta: inDialog,
  });

export const useReplaceCredential = () =>
  useMutation({
    mutationFn: (input: Args<typeof replaceCredentialValue>) => call(replaceCredentialValue, input),
    meta: inDialog,
  });

export const useCredentialHosts = () =>
  useMutation({
    mutationFn: (input: Args<typeof updateCredentialHosts>) => call(updateCredentialHosts, input),
    meta: inDialog,
  });

export const useDeleteCredential = () =>
  useMutation({
    mutationFn: (id: string) => call(deleteCredential, { id }),
    meta: {
      invalidates: [credentialKeys.list],
      errorToast: (message) => i18next.t("credentials:deleteFailed", { message }),
    },
  });
