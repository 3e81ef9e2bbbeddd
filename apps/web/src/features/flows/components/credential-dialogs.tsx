import {
  longestCredential,
  shortestCredential,
  type CredentialOwner,
  type CredentialWire,
  type FlowSummary,
} from "@carrel/contracts";
import { useId, useState, type FormEvent, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { Field, FieldHelp, FieldLabel, Textarea } from "../../../components/ui/field.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { addTexts } from "../../../lib/i18n.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import credentialTexts from "../../../locales/en/credentials.json" with { type: "json" };
import {
  useCreateCredential,
  useCredentialHosts,
  useReplaceCredential,
} from "../api/credentials.ts";

// Loaded with these pages, not with the first one.
addTexts("credentials", credentialTexts);

/** As `credentialNamePattern`; browsers want hyphens in classes escaped. */
const namePattern = String.raw`[A-Za-z][A-Za-z0-9_\-]{0,63}`;

const listHosts = (text: string): string[] => text.split(/[\s,]+/).filter((host) => host !== "");

/** What all of these dialogs have in common. */
function CredentialForm({
  title,
  text,
  action,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  text: string;
  action: string;
  onSubmit: () => Promise<unknown>;
  onClose: () => void;
  children: ReactNode;
}) {
  const { t } = useTranslation("credentials");
  const { submit, busy, error, clearError } = useSubmission(onSubmit);
  return (
    <Dialog open onClose={onClose} title={title} description={text}>
      <form
        className="grid grid-cols-1 gap-4"
        onChange={clearError}
        onSubmit={(event: FormEvent) => {
          event.preventDefault();
          // It may be drawn inside of another form.
          event.stopPropagation();
          if (!busy) submit(undefined);
        }}
      >
        {children}
        {error && (
          <Notice kind="bad">
            <p>{error.message}</p>
          </Notice>
        )}
        <DialogFooter>
          <Button variant="quiet" onClick={onClose}>
            {t("cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={busy}>
            {action}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}

function ValueField({ value, onChange }: { value: string; onChange: (value: string) => void }) {
  const { t } = useTranslation("credentials");
  return (
    <TextField
      label={t("value")}
      help={t("valueHelp", { shortest: shortestCredential })}
      type="password"
      dir="ltr"
      value={value}
      required
      minLength={shortestCredential}
      maxLength={longestCredential}
      autoComplete="off"
      spellCheck={false}
      onChange={({ target }) => onChange(target.value)}
    />
  );
}

function HostsField({ hosts, onChange }: { hosts: string; onChange: (hosts: string) => void }) {
  const { t } = useTranslation("credentials");
  const id = useId();
  return (
    <Field>
      <FieldLabel htmlFor={id}>{t("hosts")}</FieldLabel>
      <Textarea
        id={id}
        rows={2}
        dir="ltr"
        required
        spellCheck={false}
        placeholder="api.example.com"
        aria-describedby={`${id}-help`}
        value={hosts}
        onChange={({ target }) => onChange(target.value)}
      />
      <FieldHelp id={`${id}-help`}>{t("hostsHelp")}</FieldHelp>
    </Field>
  );
}

/** Creates a credential; for all flows, or for one. */
export function CredentialDialog({
  initial,
  flow = null,
  flows = flow === null ? [] : [flow],
  children,
  onCreated,
  onClose,
}: {
  initial?: { name: string; value: string; host: string };
  /** The one that it is probably for. */
  flow?: Pick<FlowSummary, "id" | "name"> | null;
  flows?: readonly Pick<FlowSummary, "id" | "name">[];
  /** Below the fields. */
  children?: ReactNode;
  onCreated?: (name: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("credentials");
  const [name, setName] = useState(initial?.name ?? "");
  const [value, setValue] = useState(initial?.value ?? "");
  const [hosts, setHosts] = useState(initial?.host ?? "");
  const [flowId, setFlowId] = useState(flow?.id ?? "");
  const create = useCreateCredential();
  return (
    <CredentialForm
      title={t("newTitle")}
      text={t("newText")}
      action={t("create")}
      onClose={onClose}
      onSubmit={async () => {
        const owner: CredentialOwner =
          flowId === "" ? { kind: "instance" } : { kind: "flow", id: flowId };
        await create.mutateAsync({ name, owner, hosts: listHosts(hosts), value });
        toast.success(t("created", { name }));
        onCreated?.(name);
        onClose();
      }}
    >
      <TextField
        label={t("name")}
        help={t("nameHelp")}
        className="font-mono"
        dir="ltr"
        value={name}
        required
        maxLength={64}
        pattern={namePattern}
        title={t("nameHelp")}
        autoFocus
        autoComplete="off"
        spellCheck={false}
        onChange={({ target }) => setName(target.value)}
      />
      <ValueField value={value} onChange={setValue} />
      <HostsField hosts={hosts} onChange={setHosts} />
      {flows.length > 0 && (
        <SelectField label={t("for")} value={flowId} onChange={setFlowId}>
          <option value="">{t("allFlows")}</option>
          {flows.map((each) => (
            <option key={each.id} value={each.id}>
              {t("oneFlow", { name: each.name })}
            </option>
          ))}
        </SelectField>
      )}
      {children}
    </CredentialForm>
  );
}

export function ReplaceValueDialog({
  credential: { id, name },
  onClose,
}: {
  credential: CredentialWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("credentials");
  const [value, setValue] = useState("");
  const replace = useReplaceCredential();
  return (
    <CredentialForm
      title={t("replaceTitle", { name })}
      text={t("replaceText")}
      action={t("replace")}
      onClose={onClose}
      onSubmit={async () => {
        await replace.mutateAsync({ id, value });
        toast.success(t("replaced", { name }));
        onClose();
      }}
    >
      <ValueField value={value} onChange={setValue} />
    </CredentialForm>
  );
}

export function HostsDialog({
  credential: { id, name, hosts: before },
  onClose,
}: {
  credential: CredentialWire;
  onClose: () => void;
}) {
  const { t } = useTranslation("credentials");
  const [hosts, setHosts] = useState(before.join("\n"));
  const change = useCredentialHosts();
  return (
    <CredentialForm
      title={t("hostsTitle", { name })}
      text={t("hostsText")}
      action={t("saveHosts")}
      onClose={onClose}
      onSubmit={async () => {
        await change.mutateAsync({ id, hosts: listHosts(hosts) });
        toast.success(t("hostsSaved", { name }));
        onClose();
      }}
    >
      <HostsField hosts={hosts} onChange={setHosts} />
    </CredentialForm>
  );
}
