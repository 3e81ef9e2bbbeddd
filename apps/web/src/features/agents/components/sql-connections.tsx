import { agentLabels, secretMask, sqlEngines } from "@carrel/contracts/skill-declaration";
import { Database } from "lucide-react";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { Dialog, DialogFooter } from "../../../components/ui/dialog.tsx";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { SelectField, TextField } from "../../../components/ui/text-field.tsx";
import { useSavePreferences, type Preferences } from "../../../lib/agent-preferences.ts";
import { useSubmission } from "../../../lib/query-client.ts";
import { toast } from "../../../lib/toast.ts";
import { useTestConnection } from "../api/agents.ts";
import {
  connectionsIn,
  connectionString,
  emptyConnection,
  isSameServer,
  type Connection,
} from "../state/connections.ts";

/** The databases that agents may query. */
export default function SqlConnections({ preferences }: { preferences: Preferences }) {
  const { t } = useTranslation("agents");
  const save = useSavePreferences();
  const connections = connectionsIn(preferences);
  const [edited, setEdited] = useState<Connection | null>(null);
  const [removed, setRemoved] = useState<Connection | null>(null);
  const act = (action: Record<string, unknown>): Promise<void> =>
    save.mutateAsync({ [agentLabels.sqlConnections]: JSON.stringify([action]) });
  return (
    <FormSection title={t("sql.title")} help={t("sql.help")}>
      {connections.length === 0 ? (
        <Notice kind="warn">
          <p>{t("sql.empty")}</p>
        </Notice>
      ) : (
        <ul className="grid grid-cols-1 divide-y divide-subtle rounded-md border border-line">
          {connections.map((each) => (
            <li key={each.database_id} className="flex items-center gap-3 px-3 py-2.5">
              <Database className="size-4 flex-none text-fg-3" aria-hidden="true" />
              <div className="min-w-0 flex-1">
                <p className="font-medium wrap-anywhere">{each.database_id}</p>
                <p className="text-xs text-fg-3">{t(`sql.engines.${each.engine}`)}</p>
                <p className="font-mono text-xs text-fg-3 wrap-anywhere" dir="ltr">
                  {each.host}
                  {each.port && `:${each.port}`}/{each.database}
                </p>
              </div>
              <Button
                size="sm"
                aria-label={t("sql.editNamed", { name: each.database_id })}
                onClick={() => setEdited(each)}
              >
                {t("sql.edit")}
              </Button>
              <Button
                variant="quiet"
                size="sm"
                aria-label={t("sql.removeNamed", { name: each.database_id })}
                onClick={() => setRemoved(each)}
              >
                {t("sql.remove")}
              </Button>
            </li>
          ))}
        </ul>
      )}
      <Button
        className="justify-self-start max-md:h-11 max-md:justify-self-stretch"
        onClick={() => setEdited(emptyConnection)}
      >
        {t("sql.add")}
      </Button>
      {edited && (
        <ConnectionDialog connection={edited} onSave={act} onClose={() => setEdited(null)} />
      )}
      {removed && (
        <ConfirmDialog
          open
          title={t("sql.removeTitle", { name: removed.database_id })}
          text={t("sql.removeText")}
          action={t("sql.remove")}
          onConfirm={async () => {
            await act({ action: "remove", database_id: removed.database_id });
            toast.success(t("sql.removed", { name: removed.database_id }));
          }}
          onClose={() => setRemoved(null)}
        />
      )}
    </FormSection>
  );
}

/** Used where no port is entered. */
const ports = { postgresql: "5432", mysql: "3306", "sql-server": "1433" } as const;

function ConnectionDialog({
  connection,
  onSave,
  onClose,
}: {
  connection: Connection;
  onSave: (action: Record<string, unknown>) => Promise<void>;
  onClose: () => void;
}) {
  const { t } = useTranslation("agents");
  const isNew = connection.database_id === "";
  const [draft, setDraft] = useState<Connection>({ ...connection, password: "" });
  const test = useTestConnection();
  const set = (change: Partial<Connection>): void => {
    setDraft({ ...draft, ...change });
    test.reset();
  };
  const keepsPassword =
    draft.password === "" && connection.password !== "" && isSameServer(draft, connection);
  const text = connectionString({
    ...draft,
    password: keepsPassword ? secretMask : draft.password,
  });
  const isComplete =
    draft.database_id.trim() !== "" && draft.host.trim() !== "" && draft.database.trim() !== "";
  const { submit, busy, error } = useSubmission(async () => {
    await onSave({
      action: isNew ? "add" : "update",
      engine: draft.engine,
      database_id: draft.database_id.trim(),
      ...(!isNew && { originalDatabaseId: connection.database_id }),
      connectionString: text,
      schema: draft.engine === "postgresql" ? draft.schema : null,
    });
    toast.success(t("sql.saved", { name: draft.database_id.trim() }));
    onClose();
  });
  const onSubmit = (event: FormEvent): void => {
    event.preventDefault();
    if (isComplete && !busy) submit(undefined);
  };
  const field = (name: "host" | "port" | "database" | "username", mode?: "numeric") => (
    <TextField
      label={t(`sql.${name}`)}
      value={draft[name]}
      inputMode={mode}
      placeholder={name === "port" ? ports[draft.engine] : undefined}
      maxLength={255}
      autoComplete="off"
      spellCheck={false}
      dir="ltr"
      onChange={(event) => set({ [name]: event.target.value })}
    />
  );
  const schema = (
    <>
      {t("sql.schema")} <span className="font-regular text-fg-3">{t("sql.optional")}</span>
    </>
  );
  return (
    <Dialog
      open
      title={isNew ? t("sql.addTitle") : t("sql.editTitle", { name: connection.database_id })}
      onClose={onClose}
    >
      <form className="grid gap-4" onSubmit={onSubmit} noValidate>
        <TextField
          label={t("sql.name")}
          value={draft.database_id}
          help={t("sql.nameHelp")}
          maxLength={128}
          autoComplete="off"
          spellCheck={false}
          autoFocus
          onChange={(event) => set({ database_id: event.target.value })}
        />
        <SelectField
          label={t("sql.engine")}
          value={draft.engine}
          onChange={(value) => set({ engine: sqlEngines.find((each) => each === value)! })}
        >
          {sqlEngines.map((each) => (
            <option key={each} value={each}>
              {t(`sql.engines.${each}`)}
            </option>
          ))}
        </SelectField>
        <div className="grid grid-cols-[minmax(0,1fr)_96px] gap-4">
          {field("host")}
          {field("port", "numeric")}
        </div>
        {field("database")}
        {draft.engine === "postgresql" && (
          <TextField
            label={schema}
            value={draft.schema ?? ""}
            placeholder="public"
            maxLength={128}
            autoComplete="off"
            spellCheck={false}
            dir="ltr"
            onChange={(event) => set({ schema: event.target.value || null })}
          />
        )}
        <div className="grid grid-cols-2 items-start gap-4 max-md:grid-cols-1">
          {field("username")}
          <TextField
            label={t("sql.password")}
            type="password"
            value={draft.password}
            autoComplete="new-password"
            spellCheck={false}
            dir="ltr"
            help={
              connection.password === ""
                ? undefined
                : isSameServer(draft, connection)
                  ? t("sql.passwordKept")
                  : t("sql.passwordAgain")
            }
            onChange={(event) => set({ password: event.target.value })}
          />
        </div>
        {error && (
          <Notice kind="bad">
            <p>{error.message}</p>
          </Notice>
        )}
        {test.error && (
          <Notice kind="bad">
            <p>{test.error.message}</p>
          </Notice>
        )}
        {test.isSuccess && (
          <div role="status">
            <Notice kind="info">
              <p>{t("sql.works")}</p>
            </Notice>
          </div>
        )}
        <DialogFooter>
          <Button
            className="me-auto max-md:me-0"
            disabled={!isComplete || test.isPending}
            onClick={() => test.mutate({ engine: draft.engine, connectionString: text })}
          >
            {test.isPending ? t("sql.testing") : t("sql.test")}
          </Button>
          <Button variant="quiet" onClick={onClose}>
            {t("sql.cancel")}
          </Button>
          <Button type="submit" variant="primary" disabled={!isComplete || busy}>
            {busy ? t("saving") : t("sql.save")}
          </Button>
        </DialogFooter>
      </form>
    </Dialog>
  );
}
