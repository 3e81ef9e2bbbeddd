import type { FlowSummary } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { listCredentialNames } from "@carrel/contracts/credential-reference";
import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { Link, useNavigate } from "@tanstack/react-router";
import {
  Copy,
  Download,
  Ellipsis,
  Pencil,
  Play,
  Plus,
  Trash2,
  Upload,
  Users,
  Webhook,
} from "lucide-react";
import { useRef, useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button, IconButton, buttonStyles } from "../../../components/ui/button.tsx";
import { Switch } from "../../../components/ui/choices.tsx";
import { FileInput } from "../../../components/ui/field.tsx";
import { FormSection, PageBody } from "../../../components/ui/form-section.tsx";
import { ConfirmDialog, Menu } from "../../../components/ui/overlays.tsx";
import { errorMessage } from "../../../lib/fault.ts";
import { formatAgo, joinNames } from "../../../lib/format.ts";
import { addTexts } from "../../../lib/i18n.ts";
import { scheduleCountQuery } from "../../../lib/schedules.ts";
import { toast } from "../../../lib/toast.ts";
import flowTexts from "../../../locales/en/flows.json" with { type: "json" };
import { loadCredentials, usableIn } from "../api/credentials.ts";
import {
  exportFlow,
  flowsQuery,
  readFlow,
  useAddFlow,
  useDeleteFlow,
  useShareFlow,
  useToggleFlow,
} from "../api/flows.ts";
import { readExported, type Content } from "../state/content.ts";
import { usePublishItems } from "./use-publish-items.ts";

// Loaded with these pages, not with the first one.
addTexts("flows", flowTexts);

/** The flows of the instance, in the settings of agents. */
export default function FlowsPanel({ back }: { back: ReactNode }) {
  const { t } = useTranslation("flows");
  const { data: flows } = useSuspenseQuery(flowsQuery);
  const [deleting, setDeleting] = useState<FlowSummary | null>(null);
  const actions = (
    <div className="flex flex-wrap gap-2">
      <Link
        className={buttonStyles({ variant: "primary" })}
        to="/settings/agents/builder/{-$flowId}"
      >
        <Plus className="size-3.5 stroke-2" aria-hidden="true" />
        {t("list.new")}
      </Link>
      <ImportButton />
    </div>
  );
  return (
    <PageBody inside="split">
      <div className="grid max-w-[760px] grid-cols-1 gap-4">
        {back}
        <FormSection title={t("title")} help={t("list.help")}>
          {flows.length === 0 ? (
            <div className="grid justify-items-start gap-2 rounded-md border border-line p-6">
              <h3 className="font-semibold">{t("list.emptyTitle")}</h3>
              <p className="text-fg-2">{t("list.emptyText")}</p>
              <div className="mt-2">{actions}</div>
            </div>
          ) : (
            <>
              {actions}
              <ul className="grid grid-cols-1 border-t border-subtle" aria-label={t("list.listed")}>
                {flows.map((flow) => (
                  <FlowRow key={flow.id} flow={flow} onDelete={() => setDeleting(flow)} />
                ))}
              </ul>
            </>
          )}
        </FormSection>
      </div>
      {deleting && <DeleteDialog flow={deleting} onClose={() => setDeleting(null)} />}
    </PageBody>
  );
}

function DeleteDialog({ flow, onClose }: { flow: FlowSummary; onClose: () => void }) {
  const { t } = useTranslation("flows");
  const remove = useDeleteFlow();
  const { data: schedules = 0 } = useQuery(scheduleCountQuery(flow.id));
  return (
    <ConfirmDialog
      open
      title={t("list.deleteTitle", { name: flow.name })}
      text={[t("list.deleteText"), schedules > 0 && t("list.deletePauses", { count: schedules })]
        .filter(Boolean)
        .join(" ")}
      action={t("list.delete")}
      onClose={onClose}
      onConfirm={() =>
        remove.mutateAsync(flow.id, { onSuccess: () => toast.success(t("list.deleted")) })
      }
    />
  );
}

function FlowRow({ flow, onDelete }: { flow: FlowSummary; onDelete: () => void }) {
  const { t } = useTranslation("flows");
  const navigate = useNavigate();
  const toggle = useToggleFlow();
  const share = useShareFlow();
  const add = useAddFlow();
  const { id, name, description, active, shared, sends, stepCount, updatedAt } = flow;
  const publishItems = usePublishItems(id);
  const duplicate = async (): Promise<void> => {
    const copied = t("list.copyName", { name: clipText(name, 180) });
    await add.mutateAsync({ ...(await readFlow(id)), name: copied });
    toast.success(t("list.duplicated", { name: copied }));
  };
  const exportIt = async (): Promise<void> => {
    try {
      await exportFlow(await readFlow(id), active);
    } catch (error) {
      toast.error(t("list.exportFailed", { message: errorMessage(error) }));
    }
  };
  return (
    <li className="relative flex items-center gap-3 border-b border-subtle py-3 hover:bg-hover max-md:gap-2">
      <div className="min-w-0 flex-1 ps-2">
        <p className="flex min-w-0 items-center gap-2">
          <Link
            className="truncate font-medium before:absolute before:inset-0"
            dir="auto"
            to="/settings/agents/builder/{-$flowId}"
            params={{ flowId: id }}
          >
            {name}
          </Link>
        </p>
        {description !== "" && (
          <p className="truncate text-fg-2" dir="auto">
            {description}
          </p>
        )}
        <p className="mt-1 flex flex-wrap items-center gap-x-2 gap-y-1 text-xs text-fg-3 tabular-nums">
          <span>{t("list.blocks", { count: stepCount })}</span>
          <span>{t("list.edited", { when: formatAgo(updatedAt) })}</span>
          <Badge>{t(shared ? "list.shared" : "list.adminsOnly")}</Badge>
          {sends && <Badge tone="warning">{t("list.sends")}</Badge>}
        </p>
      </div>
      <span className="text-xs text-fg-3 max-md:sr-only">{t(active ? "list.on" : "list.off")}</span>
      <Switch
        className="z-1"
        checked={active}
        aria-label={t("list.active", { name })}
        aria-busy={toggle.isPending || undefined}
        onChange={(on) => toggle.mutate({ id, active: on })}
      />
      <Menu
        trigger={
          <IconButton className="z-1 me-1 max-md:size-10" label={t("list.menuFor", { name })}>
            <Ellipsis />
          </IconButton>
        }
        items={[
          {
            label: t("list.open"),
            icon: Pencil,
            run: () =>
              void navigate({ to: "/settings/agents/builder/{-$flowId}", params: { flowId: id } }),
          },
          {
            label: t("list.runs"),
            icon: Play,
            run: () => void navigate({ to: "/flows", search: { flow: id } }),
          },
          {
            label: t("list.triggers"),
            icon: Webhook,
            run: () =>
              void navigate({
                to: "/settings/agents/builder/{-$flowId}",
                params: { flowId: id },
                search: { panel: "triggers" },
              }),
          },
          // A failure shows a toast.
          {
            label: t("list.duplicate"),
            icon: Copy,
            run: () => void duplicate().catch(() => undefined),
          },
          { label: t("list.export"), icon: Download, run: () => void exportIt() },
          ...publishItems,
          {
            label: t(shared ? "list.unshare" : "list.share"),
            icon: Users,
            run: () => share.mutate({ id, shared: !shared }),
          },
          { label: t("list.delete"), icon: Trash2, danger: true, run: onDelete },
        ]}
      />
    </li>
  );
}

function ImportButton() {
  const { t } = useTranslation("flows");
  const input = useRef<HTMLDivElement>(null);
  const add = useAddFlow();
  const navigate = useNavigate();
  const tellImported = async (
    steps: Content["steps"],
    name: string,
    flowId: string,
  ): Promise<void> => {
    const needed = listCredentialNames(JSON.stringify(steps));
    // A new flow has no credentials yet.
    const known =
      needed.length === 0 ? [] : usableIn(await loadCredentials().catch(() => []), null);
    const missing = needed.filter((each) => !known.some((credential) => credential.name === each));
    if (missing.length === 0)
      toast.leading(t("list.imported", { name }), {
        label: t("list.test"),
        run: () =>
          void navigate({
            to: "/settings/agents/builder/{-$flowId}",
            params: { flowId },
            search: { panel: "test" },
          }),
      });
    else
      toast.info(
        t("list.importedMissing", { count: missing.length, name, names: joinNames(missing) }),
      );
  };
  const onFile = async (file: File): Promise<void> => {
    const content = readExported(await file.text());
    if (content === null) {
      toast.error(t("list.importFailed", { file: file.name }));
      return;
    }
    const name = content.name.trim() || t("list.unnamed");
    // A failure shows a toast.
    add.mutate(
      { ...content, name, active: false },
      { onSuccess: ({ id }) => void tellImported(content.steps, name, id) },
    );
  };
  return (
    <div ref={input}>
      <FileInput
        label={t("list.importFile")}
        accept="application/json,.json"
        onFiles={([file]) => {
          if (file) void onFile(file);
        }}
      />
      <Button
        disabled={add.isPending}
        onClick={() => input.current?.querySelector("input")?.click()}
      >
        <Upload className="size-3.5 stroke-2" aria-hidden="true" />
        {t("list.import")}
      </Button>
    </div>
  );
}
