import type { ThreadModel } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { Link } from "@tanstack/react-router";
import { Command } from "cmdk";
import { Check, Search, Settings2 } from "lucide-react";
import { Popover } from "radix-ui";
import type { ReactElement } from "react";
import { useTranslation } from "react-i18next";
import { readyProvidersQuery } from "../../../lib/providers.ts";
import { useChooseThreadModel } from "../api/thread-model.ts";
import { modelEntries } from "../state/model-entries.ts";

const row =
  "flex min-h-8.5 cursor-pointer items-center gap-2 rounded-sm px-2 aria-selected:bg-hover max-md:min-h-11 [&_svg]:size-3.5 [&_svg]:shrink-0 [&_svg]:text-fg-3";

/** The models of all configured providers, to search and choose from. */
export default function ModelList({
  trigger,
  slug,
  threadSlug,
  current,
  managesProviders,
  onClose,
}: {
  trigger: ReactElement;
  slug: string;
  threadSlug: string | null;
  current: ThreadModel;
  managesProviders: boolean;
  onClose: () => void;
}) {
  const { t } = useTranslation("chat");
  const ready = useQuery(readyProvidersQuery(slug));
  const choose = useChooseThreadModel(slug, threadSlug);
  const groups = modelEntries(ready.data?.providers ?? [], current);
  return (
    <Popover.Root open onOpenChange={(open) => !open && onClose()}>
      <Popover.Trigger asChild>{trigger}</Popover.Trigger>
      <Popover.Portal>
        <Popover.Content
          className="z-(--layer-menu) w-[min(340px,100vw-16px)] animate-appear rounded-md border border-line bg-overlay shadow-float outline-none"
          aria-label={t("modelChoose")}
          side="top"
          align="end"
          sideOffset={6}
          collisionPadding={8}
        >
          <Command label={t("modelChoose")} loop>
            <div className="flex items-center gap-2 border-b border-subtle px-3 text-fg-3">
              <Search className="size-3.5" aria-hidden="true" />
              <Command.Input
                className="h-10 min-w-0 flex-1 bg-transparent text-fg-1 outline-none"
                placeholder={t("modelSearch")}
                maxLength={200}
                autoFocus
              />
            </div>
            <Command.List
              className="max-h-[min(320px,45dvh)] overflow-auto p-1"
              label={t("models")}
            >
              <Command.Empty className="px-2 py-3 text-xs text-fg-3">
                {ready.isPending ? t("modelsLoading") : t("modelsNone")}
              </Command.Empty>
              {groups.map(({ heading, entries }) => (
                <Command.Group
                  key={heading ?? ""}
                  heading={heading ?? undefined}
                  className="[&_[cmdk-group-heading]]:px-2 [&_[cmdk-group-heading]]:pt-2 [&_[cmdk-group-heading]]:pb-1 [&_[cmdk-group-heading]]:text-xs [&_[cmdk-group-heading]]:font-medium [&_[cmdk-group-heading]]:text-fg-3"
                >
                  {entries.map((entry) => (
                    <Command.Item
                      key={entry.key}
                      className={row}
                      value={entry.key}
                      keywords={[entry.name ?? t("modelOfWorkspace"), heading ?? ""]}
                      onSelect={() => {
                        choose.mutate(entry.choice);
                        onClose();
                      }}
                    >
                      <span className="min-w-0 flex-1 truncate">
                        {entry.name ?? t("modelOfWorkspace")}
                      </span>
                      {entry.isCurrent && (
                        <>
                          <Check aria-hidden="true" />
                          <span className="sr-only">{t("modelCurrent")}</span>
                        </>
                      )}
                    </Command.Item>
                  ))}
                </Command.Group>
              ))}
            </Command.List>
          </Command>
          {ready.isError && (
            <p className="border-t border-subtle px-3 py-2 text-xs text-fg-2" role="alert">
              {ready.error.message}
            </p>
          )}
          {managesProviders && (
            <div className="border-t border-subtle p-1">
              <Link to="/settings/llm-preference" className={row}>
                <Settings2 aria-hidden="true" />
                {t("modelHelp")}
              </Link>
            </div>
          )}
        </Popover.Content>
      </Popover.Portal>
    </Popover.Root>
  );
}
