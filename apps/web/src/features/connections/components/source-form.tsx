import type { ConnectionWire, ConnectorWire } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useBlocker, useNavigate } from "@tanstack/react-router";
import { useState, type FormEvent } from "react";
import { useTranslation } from "react-i18next";
import { Button } from "../../../components/ui/button.tsx";
import { ClosedReason } from "../../../components/ui/closed-door.tsx";
import { Disclosure } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { ConfirmDialog } from "../../../components/ui/overlays.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { ApiError } from "../../../lib/api.ts";
import {
  useCheckConnection,
  useCreateConnection,
  useListChoices,
  usePreviewConnection,
  useUpdateConnection,
} from "../api/connection-actions.ts";
import { connectionQuery, connectorsQuery } from "../api/connections.ts";
import {
  buildDraft,
  findFaults,
  isOtherServer,
  isSamePreview,
  readCredential,
  readPermissions,
  readSettings,
  startDraft,
  tellsReaders,
  type Draft,
} from "../state/draft.ts";
import { ConnectorFieldRow } from "./connector-field.tsx";
import { SetUpNotices } from "./connector-grid.tsx";
import { PreviewPanel } from "./preview-panel.tsx";
import {
  CredentialSection,
  type CredentialChoice,
  PermissionSection,
} from "./source-form-sections.tsx";
import {
  AllSources,
  LoadingSources,
  SourceBody,
  FailedSources,
  SourceHead,
} from "./source-page-parts.tsx";

/** Sets up a source of one kind. */
export function NewSource({
  slug,
  id,
  isOffline,
}: {
  slug: string;
  /** The connector's. */
  id: string;
  isOffline: boolean;
}) {
  const { data, error, refetch } = useQuery(connectorsQuery);
  const connector = data?.find((each) => each.id === id);
  if (connector)
    return <SourceForm slug={slug} connector={connector} saved={null} isOffline={isOffline} />;
  return <Missing slug={slug} isPending={data === undefined && !error} {...{ error, refetch }} />;
}

/** Changes a source. */
export function EditSource({ slug, id }: { slug: string; id: string }) {
  const connectors = useQuery(connectorsQuery);
  const { data, error, refetch } = useQuery(connectionQuery(slug, id));
  const connection = data?.connection;
  const connector = connectors.data?.find((each) => each.id === connection?.connector);
  if (connection && !connection.mayChange)
    return (
      <SourceBody className="grid content-start gap-4">
        <AllSources slug={slug} />
        <ClosedReason door="sourceOfOther" />
      </SourceBody>
    );
  if (connection && connector)
    return <SourceForm slug={slug} connector={connector} saved={connection} isOffline={false} />;
  const failure = error ?? connectors.error;
  const isPending = !failure && (data === undefined || connectors.data === undefined);
  return <Missing slug={slug} isPending={isPending} error={failure} refetch={refetch} />;
}

/** In place of a form that is loading, or can't be shown. */
function Missing({
  slug,
  isPending,
  error,
  refetch,
}: {
  slug: string;
  isPending: boolean;
  error: Error | null;
  refetch: () => unknown;
}) {
  const { t } = useTranslation("connections");
  if (isPending) return <LoadingSources />;
  return (
    <SourceBody className="grid content-start gap-4">
      <AllSources slug={slug} />
      {error ? (
        <FailedSources error={error} retry={() => void refetch()} />
      ) : (
        <Notice kind="warn">{t("choose.empty")}</Notice>
      )}
    </SourceBody>
  );
}

/** The field that the server refused; null if it refused something else. */
const refusedField = (error: Error | null): string | null =>
  error instanceof ApiError && error.fault?.code === "source.setting-invalid"
    ? String(error.fault.params.field)
    : null;

const isCredentialDue = (error: Error | null): boolean =>
  error instanceof ApiError && error.fault?.code === "source.credential-due";

function SourceForm({
  slug,
  connector,
  saved,
  isOffline,
}: {
  slug: string;
  connector: ConnectorWire;
  /** null for a new source. */
  saved: ConnectionWire | null;
  isOffline: boolean;
}) {
  const { t } = useTranslation("connections");
  const navigate = useNavigate();
  const [start] = useState(() => startDraft(connector, saved));
  const [draft, setDraft] = useState(start);
  const [isTried, setTried] = useState(false);
  const [showsAdvanced, setShowsAdvanced] = useState(false);
  const [choice, setChoice] = useState<CredentialChoice>("keep");
  const [previewed, setPreviewed] = useState<Draft | null>(null);
  const create = useCreateConnection(slug);
  const update = useUpdateConnection(slug);
  const check = useCheckConnection(slug);
  const preview = usePreviewConnection(slug);
  const choices = useListChoices(slug);
  const failure = create.error ?? update.error ?? check.error;
  const isElsewhere = saved !== null && isOtherServer(connector, draft, saved);
  const mustEnter =
    saved === null || !saved.hasCredential || isElsewhere || isCredentialDue(failure);
  const entersCredential = mustEnter || choice === "replace";
  const faults = {
    settings: findFaults(connector.fields, draft.settings),
    credential: entersCredential ? findFaults(connector.credentialFields, draft.credential) : {},
  };
  const isFaulty = Object.keys({ ...faults.settings, ...faults.credential }).length > 0;
  const isDirty = draft !== start || choice !== "keep";
  const busy = create.isPending || update.isPending;
  const blocked = useBlocker({
    shouldBlockFn: () => isDirty && !busy,
    enableBeforeUnload: () => isDirty,
    withResolver: true,
  });
  const change = (next: Draft): void => {
    setDraft(next);
    for (const mutation of [create, update, check]) if (!mutation.isIdle) mutation.reset();
  };
  const show = (id: string): void =>
    void navigate({
      to: "/workspace/$workspaceSlug/documents",
      params: { workspaceSlug: slug },
      search: { sources: id },
      ignoreBlocker: true,
    });
  const built = () =>
    buildDraft(
      connector,
      entersCredential ? draft : { ...draft, credential: start.credential },
      saved,
    );
  /** Runs `action` if everything is filled in, else shows what isn't. */
  const whenComplete = (action: () => void): void => {
    setTried(true);
    const hidden = connector.fields.some(({ name, advanced }) => advanced && faults.settings[name]);
    if (hidden) setShowsAdvanced(true);
    if (!isFaulty && !busy) action();
  };
  const runPreview = (): void =>
    whenComplete(() => {
      setPreviewed(draft);
      preview.mutate({ ...built(), matchAccounts: draft.matchAccounts });
    });
  const save = (): void => {
    const name = draft.name.trim();
    const settings = readSettings(connector, draft, saved);
    const credential = entersCredential ? readCredential(connector, draft) : undefined;
    const permissions = readPermissions(connector, draft, saved);
    if (saved === null)
      create.mutate(
        {
          connector: connector.id,
          ...(name !== "" && { name }),
          settings,
          ...(credential && { credential }),
          ...permissions,
        },
        { onSuccess: ({ id }) => show(id) },
      );
    else
      update.mutate(
        {
          connectionId: saved.id,
          name: name || saved.name,
          settings,
          ...(choice === "remove" && !isElsewhere
            ? { credential: null }
            : entersCredential && saved.hasCredential
              ? { credential: credential ?? null }
              : credential && { credential }),
          ...permissions,
        },
        { onSuccess: ({ id }) => show(id) },
      );
  };
  const submit = (event: FormEvent): void => {
    event.preventDefault();
    whenComplete(save);
  };
  const refused = refusedField(failure);
  const rows = (advanced: boolean) =>
    connector.fields
      .filter((field) => (field.advanced ?? false) === advanced)
      .map((field) => (
        <ConnectorFieldRow
          key={field.name}
          field={field}
          value={draft.settings[field.name] ?? ""}
          fault={
            refused === field.name
              ? "refused"
              : isTried
                ? (faults.settings[field.name] ?? null)
                : null
          }
          onChange={(value) =>
            change({ ...draft, settings: { ...draft.settings, [field.name]: value } })
          }
          onListChoices={async () =>
            (await choices.mutateAsync({ ...built(), field: field.name })).choices
          }
        />
      ));
  const hasAdvanced = connector.fields.some(({ advanced }) => advanced);
  return (
    <form className="flex min-h-0 flex-1 flex-col" noValidate onSubmit={submit}>
      <SourceBody>
        <div className="mx-auto grid max-w-[1040px] grid-cols-1 gap-5">
          <header className="grid grid-cols-1 gap-3">
            <AllSources slug={slug} />
            <SourceHead
              connector={connector.id}
              name={
                saved
                  ? t("form.editTitle", { name: saved.name })
                  : t("form.title", { name: connector.label })
              }
              facts={connector.description}
            />
          </header>
          <SetUpNotices isOffline={isOffline} />
          <div className="grid grid-cols-[minmax(0,1fr)_340px] items-start gap-8 @max-[860px]/sources:grid-cols-1">
            <div className="grid max-w-[640px] grid-cols-1 gap-4">
              {rows(false)}
              {connector.credentialFields.length > 0 && (
                <CredentialSection
                  fields={connector.credentialFields}
                  values={draft.credential}
                  faults={isTried ? faults.credential : {}}
                  hasSaved={saved?.hasCredential ?? false}
                  mustEnter={mustEnter}
                  choice={choice}
                  onChoice={setChoice}
                  onChange={(credential) => change({ ...draft, credential })}
                />
              )}
              {tellsReaders(connector, saved) && (
                <PermissionSection
                  name={connector.label}
                  saved={saved}
                  values={draft}
                  onChange={(permissions) => change({ ...draft, ...permissions })}
                />
              )}
              <TextField
                label={t("form.name")}
                help={saved ? undefined : t("form.nameHelp")}
                value={draft.name}
                maxLength={200}
                onChange={(event) => change({ ...draft, name: event.target.value })}
              />
              {hasAdvanced && (
                <Disclosure
                  label={t("form.advanced")}
                  open={showsAdvanced}
                  onToggle={() => setShowsAdvanced(!showsAdvanced)}
                >
                  {rows(true)}
                </Disclosure>
              )}
              {saved && draft.settings !== start.settings && (
                <p className="text-xs text-fg-3">{t("form.nextRun")}</p>
              )}
            </div>
            <PreviewPanel
              preview={preview.data}
              isPending={preview.isPending}
              isStale={previewed === null || !isSamePreview(previewed, draft)}
              isMirrored={draft.mirrorPermissions}
              error={preview.error}
              onRetry={runPreview}
            />
          </div>
        </div>
      </SourceBody>
      <footer
        data-bottom-bar
        className="flex-none border-t border-subtle bg-surface px-6 py-3 max-md:px-4"
      >
        <div className="mx-auto flex max-w-[1040px] flex-wrap items-center gap-2 max-md:[&>button]:h-11 max-md:[&>button]:flex-1">
          <Button type="submit" variant="primary" disabled={busy}>
            {t(
              saved ? (busy ? "form.saving" : "form.save") : busy ? "form.starting" : "form.start",
            )}
          </Button>
          <Button
            disabled={check.isPending}
            onClick={() => whenComplete(() => check.mutate(built()))}
          >
            {t(check.isPending ? "form.checking" : "form.check")}
          </Button>
          <Button disabled={preview.isPending} onClick={runPreview}>
            {t(preview.isPending ? "form.previewing" : "form.preview")}
          </Button>
          <Outcome isChecked={check.isSuccess} failure={refused === null ? failure : null} />
        </div>
      </footer>
      {blocked.status === "blocked" && (
        <ConfirmDialog
          open
          title={t("form.leaveTitle")}
          text={t("form.leaveText")}
          action={t("form.leave")}
          onConfirm={async () => blocked.proceed()}
          onClose={() => blocked.reset()}
        />
      )}
    </form>
  );
}

/** What the last check or attempt to save came to. */
function Outcome({ isChecked, failure }: { isChecked: boolean; failure: Error | null }) {
  const { t } = useTranslation("connections");
  return (
    <p
      className={
        failure
          ? "min-w-0 flex-1 text-danger wrap-anywhere max-md:basis-full"
          : "min-w-0 flex-1 text-success max-md:basis-full"
      }
      role="status"
    >
      {failure?.message ?? (isChecked ? t("form.checked") : null)}
    </p>
  );
}
