import type { PublishedType } from "@carrel/contracts";
import { clipText } from "@carrel/contracts/clip-text";
import { useSuspenseQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { Notice } from "../../../components/ui/notice.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { cn } from "../../../lib/cn.ts";
import { hubSettingsQuery } from "../../../lib/hub.ts";
import { workspacesQuery } from "../../../lib/workspaces.ts";
import { publishedCommandQuery, publishedFlowQuery, type Publication } from "../api/hub.ts";
import type { PublishSearch } from "../state/hub-search.ts";
import { PublishForm } from "./publish-form.tsx";
import { HubOff } from "./trending-page.tsx";

/** Publishes a slash command, a flow, or the system prompt of a workspace. */
export function PublishPage({ type, of }: PublishSearch) {
  const { t } = useTranslation("hub");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <PageBody>
        <div className={cn(settingsColumn, "gap-6")}>
          <Hub>
            {type === undefined || of === undefined ? (
              <Notice>{t("publish.where")}</Notice>
            ) : (
              <Source type={type} of={of} />
            )}
          </Hub>
        </div>
      </PageBody>
    </PageBoundary>
  );
}

function Hub({ children }: { children: ReactNode }) {
  const { data } = useSuspenseQuery(hubSettingsQuery);
  return data.source.kind === "off" ? <HubOff /> : children;
}

function Source({ type, of }: { type: PublishedType; of: string }) {
  switch (type) {
    case "system-prompt":
      return <WorkspacePrompt slug={of} />;
    case "slash-command":
      return <Command id={of} />;
    case "agent-flow":
      return <Flow id={of} />;
  }
}

function WorkspacePrompt({ slug }: { slug: string }) {
  const { data: workspaces } = useSuspenseQuery(workspacesQuery);
  const found = workspaces.find((workspace) => workspace.slug === slug);
  return found?.openAiPrompt ? (
    <PublishForm
      draft={{ type: "system-prompt", source: slug, name: found.name, prompt: found.openAiPrompt }}
    />
  ) : (
    <Missing type="system-prompt" />
  );
}

function Command({ id }: { id: string }) {
  const { data: found } = useSuspenseQuery(publishedCommandQuery(id));
  if (found === null) return <Missing type="slash-command" />;
  const { command, prompt, description } = found;
  const draft: Publication = {
    type: "slash-command",
    source: id,
    name: command,
    command,
    prompt,
    description,
  };
  return <PublishForm draft={draft} />;
}

function Flow({ id }: { id: string }) {
  const { data: found } = useSuspenseQuery(publishedFlowQuery(id));
  const { name, description, steps } = found;
  return (
    <PublishForm
      draft={{
        type: "agent-flow",
        source: id,
        name,
        description: clipText(description, 2_000),
        flow: { steps },
      }}
    />
  );
}

function Missing({ type }: { type: PublishedType }) {
  const { t } = useTranslation("hub");
  return (
    <Notice kind="warn">
      {t(type === "system-prompt" ? "publish.noPrompt" : "publish.noCommand")}
    </Notice>
  );
}
