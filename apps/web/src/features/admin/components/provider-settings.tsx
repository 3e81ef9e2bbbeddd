import { useSuspenseQuery } from "@tanstack/react-query";
import { useState } from "react";
import { setupQuery } from "../../../lib/setup.ts";
import { providersQuery } from "../../../lib/providers.ts";
import { savedFor, type ProviderKind, type Values } from "../../../lib/provider-form.ts";
import { ProviderForm } from "./provider-form.tsx";
import { ProviderList } from "./provider-list.tsx";
import { SettingsBoundary } from "./settings-boundary.tsx";

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
