import type { CredentialWire } from "@carrel/contracts";
import { useSuspenseQueries } from "@tanstack/react-query";
import { Ellipsis, Globe, KeyRound, Plus, Trash2 } from "lucide-react";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton } from "../../../components/ui/button.tsx";
import { FormSection, PageBody } from "../../../components/ui/form-section.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { formatAgo, joinNames } from "../../../lib/format.ts";
import { toast } from "../../../lib/toast.ts";
import { credentialsQuery, useDeleteCredential } from "../api/credentials.ts";
import { flowsQuery } from "../api/flows.ts";
import { CredentialDialog, HostsDialog, ReplaceValueDialog } from "./credential-dialogs.tsx";

type Open = { dialog: "replace" | "hosts" | "delete"; credential: CredentialWire };

/** Flows that a credential is used by, as the end of a sentence. */
const namesOf = ({ flows }: CredentialWire): string => joinNames(flows.map(({ name }) => name));

/** The credentials of the instance, in the settings of agents. */
export default function CredentialsPanel({ back }: { back: ReactNode }) {
  const { t } = useTranslation("credentials");
  const [{ data: credentials }, { data: flows }] = useSuspenseQueries({
    queries: [credentialsQuery, flowsQuery],
  });
  const [isAdding, setAdding] = useState(false);
  const [open, setOpen] = useState<Open | null>(null);
  const remove = useDeleteCredential();
  const close = (): void => setOpen(null);
  const nameOf = (id: string): string => flows.find((flow) => flow.id === id)?.name ?? id;
  const add = (
    <div>
      <Button variant="primary" onClick={() => setAdding(true)}>
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("add")}
      </Button>
    </div>
  );
  return (
    <PageBody inside="split">
      <div className="grid max-w-[760px] grid-cols-1 gap-4">
        {back}
        <FormSection title={t("title")} help={t("help")}>
          {credentials.length === 0 ? (
            <div className="grid justify-items-start gap-2 rounded-md border border-line p-6">
              <h3 className="font-semibold">{t("emptyTitle")}</h3>
              <p className="text-fg-2">{t("emptyText")}</p>
              <div className="mt-2">{add}</div>
            </div>
          ) : (
            <>
              {add}
              <ul className="grid grid-cols-1 border-t border-subtle" aria-label={t("title")}>
                {credentials.map((credential) => (
                  <CredentialRow
                    key={credential.id}
                    credential={credential}
                    owner={ownerText(credential, nameOf, t)}
                    onOpen={(dialog) => setOpen({ dialog, credential })}
                  />
                ))}
              </ul>
            </>
          )}
        </FormSection>
      </div>
      {isAdding && <CredentialDialog flows={flows} onClose={() => setAdding(false)} />}
      {open?.dialog === "replace" && (
        <ReplaceValueDialog credential={open.credential} onClose={close} />
      )}
      {open?.dialog === "hosts" && <HostsDialog credential={open.credential} onClose={close} />}
      {open?.dialog === "delete" && (
        <ConfirmDialog
          open
          title={t("deleteTitle", { name: open.credential.name })}
          text={
            open.credential.flows.length === 0
              ? t("deleteUnused")
              : t("deleteUsed", {
                  count: open.credential.flows.length,
                  names: namesOf(open.credential),
                })
          }
          action={t("delete")}
          onClose={close}
          onConfirm={() =>
            remove.mutateAsync(open.credential.id, {
              onSuccess: () => toast.success(t("deleted", { name: open.credential.name })),
            })
          }
        />
      )}
    </PageBody>
  );
}

function ownerText(
  { owner }: CredentialWire,
  nameOf: (id: string) => string,
  t: ReturnType<typeof useTranslation<"credentials">>["t"],
): string {
  if (owner.kind === "instance") return t("allFlows");
  return owner.kind === "flow"
    ? t("oneFlow", { name: nameOf(owner.id) })
    : t("onePlugin", { name: owner.id });
}

function CredentialRow({
  credential,
  owner,
  onOpen,
}: {
  credential: CredentialWire;
  owner: string;
  onOpen: (dialog: Open["dialog"]) => void;
}) {
  const { t } = useTranslation("credentials");
  const { name, hosts, lastCharacters, isReadable, lastUsedAt, flows } = credential;
  return (
    <li className="flex items-center gap-3 border-b border-subtle py-3 hover:bg-hover max-md:gap-2">
      <div className="grid min-w-0 flex-1 gap-1 ps-2">
        <p className="flex min-w-0 flex-wrap items-center gap-x-3 gap-y-1">
          <code className="min-w-0 font-mono font-medium [overflow-wrap:anywhere]">{name}</code>
          {isReadable ? (
            <span className="text-xs text-fg-3" aria-label={t("masked")}>
              ••••••••{lastCharacters}
            </span>
          ) : (
            <Badge tone="danger">{t("unreadable")}</Badge>
          )}
        </p>
        <p className="text-fg-2 [overflow-wrap:anywhere]" dir="ltr">
          {hosts.join(", ")}
        </p>
        <p className="flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-fg-3 tabular-nums">
          <Badge>{owner}</Badge>
          <span>
            {flows.length === 0
              ? t("unused")
              : t("usedBy", { count: flows.length, names: namesOf(credential) })}
          </span>
          <span>
            {lastUsedAt === null ? t("neverUsed") : t("lastUsed", { when: formatAgo(lastUsedAt) })}
          </span>
        </p>
      </div>
      <Menu
        trigger={
          <IconButton className="me-1 max-md:size-10" label={t("menuFor", { name })}>
            <Ellipsis />
          </IconButton>
        }
        items={[
          { label: t("menuReplace"), icon: KeyRound, run: () => onOpen("replace") },
          { label: t("menuHosts"), icon: Globe, run: () => onOpen("hosts") },
          { label: t("delete"), icon: Trash2, danger: true, run: () => onOpen("delete") },
        ]}
      />
    </li>
  );
}
