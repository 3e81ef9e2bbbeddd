import type { ProviderDeclaration } from "@carrel/contracts";
import { useSuspenseQuery } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck, KeyRound, Pencil } from "lucide-react";
import { useState } from "react";
import { useTranslation } from "react-i18next";
import { ProviderTile } from "../../../components/provider/provider-tile.tsx";
import { Button } from "../../../components/ui/button.tsx";
import { Segmented } from "../../../components/ui/segmented.tsx";
import { SearchField } from "../../../components/ui/text-field.tsx";
import {
  isSaved,
  savedFor,
  type BrowserKind,
  type ProviderKind,
  type Values,
} from "../../../lib/provider-form.ts";
import { findProviders, providersQuery } from "../../../lib/providers.ts";
import { setupQuery } from "../../../lib/setup.ts";
import { ProviderForm } from "./provider-form.tsx";
import { SettingsBoundary } from "./settings-page.tsx";

const mark = "ms-auto flex items-center gap-[5px] text-xs whitespace-nowrap";
/** Tablets need the space for names. */
const markText = "md:max-lg:sr-only";
const groups = ["builtin", "local", "hosted"] as const;

/** Providers: the current one first, then grouped by where the data goes. */
function ProviderList({
  open,
  kind,
  providers,
  inUse,
  current,
  saved,
  unsaved,
  onPick,
  onClose,
}: {
  /** On phones the list covers the page while it is open. */
  open: boolean;
  kind: ProviderKind;
  providers: ProviderDeclaration[];
  inUse: string;
  current: string;
  saved: Record<string, unknown>;
  /** Ids of the providers whose forms have unsaved edits. */
  unsaved: ReadonlySet<string>;
  onPick: (id: string) => void;
  onClose: () => void;
}) {
  const { t } = useTranslation("settings");
  const [term, setTerm] = useState("");
  const found = findProviders(providers, term);
  const row = (provider: ProviderDeclaration) => {
    const active = provider.id === inUse;
    const hasKey = provider.fields.some((field) => isSaved(field, saved));
    return (
      <button
        type="button"
        className="flex min-h-10 w-full items-center gap-2.5 rounded-sm px-2 hover:bg-hover aria-current:bg-accent-subtle aria-current:inset-ring aria-current:inset-ring-accent-line max-md:min-h-11"
        key={provider.id}
        aria-current={provider.id === current ? "true" : undefined}
        onClick={() => onPick(provider.id)}
      >
        <ProviderTile provider={provider} />
        <span className="line-clamp-2 font-medium">{provider.name}</span>
        {unsaved.has(provider.id) && provider.id !== current ? (
          <span className={clsx(mark, "text-fg-3")}>
            <Pencil className="size-3.5 stroke-2" aria-hidden="true" />
            <span className={markText}>{t("unsaved")}</span>
          </span>
        ) : active ? (
          <span className={clsx(mark, "text-success")}>
            <CircleCheck className="size-3.5 stroke-2" aria-hidden="true" />
            <span className={markText}>{t("inUse")}</span>
          </span>
        ) : hasKey ? (
          <span className={clsx(mark, "text-fg-3")}>
            <KeyRound className="size-3.5 stroke-2" aria-hidden="true" />
            <span className={markText}>{t("keySaved")}</span>
          </span>
        ) : null}
      </button>
    );
  };
  return (
    <section
      className={clsx(
        "flex min-h-0 flex-col border-e border-subtle",
        open
          ? "max-md:fixed max-md:inset-0 max-md:z-(--layer-sheet) max-md:border-0 max-md:bg-surface"
          : "max-md:hidden",
      )}
      aria-label={t(`list.${kind}`)}
    >
      <div className="flex items-center gap-2.5 px-4 pt-3 pb-2 md:hidden">
        <span className="min-w-0 flex-1 font-medium">{t(`list.${kind}`)}</span>
        <Button variant="quiet" onClick={onClose}>
          {t("close")}
        </Button>
      </div>
      <div className="grid ps-6 pe-4 pt-4 pb-2 max-lg:px-4 max-md:pt-3">
        <SearchField
          className="h-8 max-md:h-10"
          label={t("searchProvidersLabel")}
          placeholder={t("searchProviders", { count: providers.length })}
          value={term}
          onChange={(event) => setTerm(event.target.value)}
          onKeyDown={(event) => {
            if (event.key === "Enter" && found[0]) {
              event.preventDefault();
              onPick(found[0].id);
            }
          }}
        />
      </div>
      <div className="flex-1 overflow-auto ps-4 pe-2 pb-4 scrollbar-thin scrollbar-thumb-line scrollbar-track-transparent **:focus-visible:-outline-offset-2 max-md:px-2">
        {found.length === 0 && (
          <p className="text-fg-3 p-2" role="status">
            {t("noProvider", { term: term.trim() })}
          </p>
        )}
        {groups.map((group) => {
          const members = found.filter((provider) => provider.group === group);
          return (
            members.length > 0 && (
              <div key={group} role="group" aria-label={t(`group.${group}`)}>
                <div className="flex justify-between px-2 pt-3 pb-1 text-xs font-medium text-fg-3">
                  <span>{t(`group.${group}`)}</span>
                </div>
                {members.map(row)}
              </div>
            )
          );
        })}
      </div>
    </section>
  );
}

/** The providers, grouped by where the data goes, and the selected one's form. */
export function ProviderSettings({ kind }: { kind: ProviderKind }) {
  return (
    <SettingsBoundary>
      <ProviderChoice kind={kind} />
    </SettingsBoundary>
  );
}

function ProviderChoice({ kind }: { kind: ProviderKind }) {
  const { data: providers } = useSuspenseQuery(providersQuery);
  const { data: setup } = useSuspenseQuery(setupQuery);
  const [chosen, setSelected] = useState<string | null>(null);
  const [listOpen, setListOpen] = useState(false);
  const [drafts, setDrafts] = useState<ReadonlyMap<string, Values>>(new Map());
  const all = providers.providers.filter((provider) => provider.kind === kind);
  const inUse = providers[kind].provider;
  const choice = providers[kind];
  const picked = !("chosen" in choice) || choice.chosen;
  const provider = all.find((each) => each.id === (chosen ?? inUse)) ?? all[0];
  if (!provider) return null;
  const keepDraft = (id: string, draft: Values | null): void =>
    setDrafts((kept) => {
      const others = [...kept].filter(([each]) => each !== id);
      return new Map(draft ? [...others, [id, draft]] : others);
    });
  return (
    <div className="grid min-h-0 flex-1 grid-cols-[348px_minmax(0,1fr)] max-lg:grid-cols-[minmax(184px,280px)_minmax(320px,1fr)] max-md:block max-md:overflow-auto">
      <ProviderList
        open={listOpen}
        kind={kind}
        providers={all}
        inUse={inUse}
        current={provider.id}
        saved={setup}
        unsaved={new Set(drafts.keys())}
        onPick={(id) => {
          setSelected(id);
          setListOpen(false);
        }}
        onClose={() => setListOpen(false)}
      />
      <ProviderForm
        key={`${kind}-${provider.id}`}
        kind={kind}
        provider={provider}
        saved={savedFor(provider, all, inUse, setup)}
        everything={setup}
        locked={providers.locked}
        inUse={provider.id === inUse}
        picked={picked}
        draft={drafts.get(provider.id)}
        unsavedElsewhere={[...drafts.keys()].some((id) => id !== provider.id)}
        onLeave={(draft) => keepDraft(provider.id, draft)}
        onChange={() => setListOpen(true)}
      />
    </div>
  );
}

/** Providers for reading answers aloud and for dictation. */
export function AudioSettings() {
  const { t } = useTranslation("settings");
  const [kind, setKind] = useState<BrowserKind>("speech");
  const kinds: BrowserKind[] = ["speech", "dictation"];
  return (
    <>
      <div className="border-b border-subtle px-6 py-3 max-md:px-4">
        <Segmented
          label={t("audioPart")}
          value={kind}
          options={kinds.map((value) => ({ value, label: t(`page.${value}`) }))}
          onChange={setKind}
        />
      </div>
      <ProviderSettings key={kind} kind={kind} />
    </>
  );
}
