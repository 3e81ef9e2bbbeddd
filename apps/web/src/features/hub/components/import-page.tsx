import { useQuery, useSuspenseQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { useTranslation } from "react-i18next";
import { Badge } from "../../../components/ui/badge.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { PageBody, settingsColumn } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { PageBoundary } from "../../../components/ui/query-boundary.tsx";
import { TextField } from "../../../components/ui/text-field.tsx";
import { cn } from "../../../lib/cn.ts";
import { hubSettingsQuery } from "../../../lib/hub.ts";
import { previewQuery, type PreviewedItem } from "../api/hub.ts";
import { isImportId, typeKey } from "../state/hub-search.ts";
import { ImportAction, type Done } from "./import-action.tsx";
import { ImportDone } from "./import-done.tsx";
import { ItemMarks } from "./item-card.tsx";
import { CommandPreview, FlowPreview, PromptPreview, SkillPreview } from "./preview-parts.tsx";
import { HubOff } from "./trending-page.tsx";

interface Opened {
  importId: string;
  /** Opens another item; empty: none. */
  onOpen: (importId: string) => void;
}

/** Shows what importing an item would do, and does it. */
export function ImportPage(opened: Opened) {
  const { t } = useTranslation("hub");
  return (
    <PageBoundary words={{ loading: t("loading"), failed: t("loadFailed"), retry: t("retry") }}>
      <Import {...opened} />
    </PageBoundary>
  );
}

function Import({ importId, onOpen }: Opened) {
  const { data: settings } = useSuspenseQuery(hubSettingsQuery);
  return (
    <PageBody>
      {settings.source.kind === "off" ? (
        <HubOff />
      ) : (
        <div className={cn(settingsColumn, "gap-6")}>
          {importId === "" ? (
            <ChooseItem onOpen={onOpen} />
          ) : (
            <Item importId={importId} onOpen={onOpen} />
          )}
        </div>
      )}
    </PageBody>
  );
}

function ChooseItem({ onOpen }: { onOpen: (importId: string) => void }) {
  const { t } = useTranslation("hub");
  const [typed, setTyped] = useState("");
  const [isRefused, setRefused] = useState(false);
  return (
    <form
      className="grid grid-cols-1 gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        const isValid = isImportId(typed);
        setRefused(!isValid);
        if (isValid) onOpen(typed.trim());
      }}
    >
      <TextField
        label={t("import.id")}
        help={t("import.idHelp")}
        problem={isRefused ? t("import.idInvalid") : null}
        placeholder="allm-community-id:slash-command:…"
        dir="ltr"
        autoComplete="off"
        spellCheck={false}
        value={typed}
        onChange={({ target }) => {
          setTyped(target.value);
          setRefused(false);
        }}
      />
      <div>
        <Button type="submit" variant="primary" disabled={typed.trim() === ""}>
          {t("import.open")}
        </Button>
      </div>
    </form>
  );
}

function Item({ importId, onOpen }: Opened) {
  const { t } = useTranslation("hub");
  const [workspace, setWorkspace] = useState("");
  const [done, setDone] = useState<Done | null>(null);
  const query = useQuery({
    ...previewQuery(importId, workspace),
    placeholderData: (before) => before,
    enabled: done === null,
  });
  if (done !== null) return <ImportDone done={done} onNext={() => onOpen("")} />;
  if (query.error)
    return (
      <>
        <FailedQuery
          title={t("import.failed")}
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
        <div>
          <Button onClick={() => onOpen("")}>{t("import.another")}</Button>
        </div>
      </>
    );
  if (query.data === undefined)
    return (
      <div className="grid gap-4" role="status" aria-busy="true" aria-label={t("import.loading")}>
        {[40, 70, 55].map((width) => (
          <Skeleton key={width} style={{ inlineSize: `${width}%` }} />
        ))}
      </div>
    );
  return (
    <>
      <ItemHead item={query.data.item} />
      <ImportAction
        importId={importId}
        previewed={query.data}
        isStale={query.isPlaceholderData}
        workspace={workspace}
        onWorkspace={setWorkspace}
        onLookAgain={() => void query.refetch()}
        onDone={setDone}
      >
        {describe(query.data)}
      </ImportAction>
    </>
  );
}

function describe({ preview }: PreviewedItem): ReactNode {
  switch (preview.type) {
    case "system-prompt":
      return <PromptPreview preview={preview} />;
    case "slash-command":
      return <CommandPreview preview={preview} />;
    case "agent-flow":
      return <FlowPreview preview={preview} />;
    case "agent-skill":
      return preview.bundle && <SkillPreview bundle={preview.bundle} />;
  }
}

function ItemHead({ item }: { item: PreviewedItem["item"] }) {
  const { t } = useTranslation("hub");
  const { name, description, tags, creatorUsername, itemType } = item;
  return (
    <header className="grid grid-cols-1 gap-2">
      <h2 className="text-lg font-semibold wrap-anywhere" dir="auto">
        {name}
      </h2>
      <p className="flex flex-wrap items-center gap-1.5 text-xs text-fg-3">
        <Badge tone="accent">{t(`kind.${typeKey[itemType]}`)}</Badge>
        <ItemMarks item={item} />
        {tags.map((tag) => (
          <Badge key={tag}>
            <span className="max-w-40 truncate">{tag}</span>
          </Badge>
        ))}
        {creatorUsername && <span>{t("by", { name: creatorUsername })}</span>}
      </p>
      {description !== "" && (
        <p className="whitespace-pre-line text-fg-2 wrap-anywhere" dir="auto">
          {description}
        </p>
      )}
    </header>
  );
}
