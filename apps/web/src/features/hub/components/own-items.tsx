import { hubListNames, type HubLists } from "@carrel/contracts";
import { useQuery } from "@tanstack/react-query";
import { useTranslation } from "react-i18next";
import { FormSection } from "../../../components/ui/form-section.tsx";
import { FailedQuery } from "../../../components/ui/notice.tsx";
import { Skeleton } from "../../../components/ui/progress.tsx";
import { ownItemsQuery } from "../api/hub.ts";
import { hubTypes } from "../state/hub-search.ts";
import { cardGrid, ItemCard } from "./item-card.tsx";

/** What the key's account has published, and what its teams share. */
export function OwnItems() {
  const { t } = useTranslation("hub");
  const query = useQuery(ownItemsQuery);
  const groups = query.data && [
    { id: "", title: t("own.mine"), lists: query.data.createdByMe },
    ...query.data.teamItems.map(({ teamId, teamName, items }) => ({
      id: teamId,
      title: teamName || t("own.team"),
      lists: items,
    })),
  ];
  return (
    <FormSection title={t("own.title")} help={t("own.help")}>
      {query.isPending && <Skeleton className="w-1/2" role="status" aria-label={t("loading")} />}
      {query.error && (
        <FailedQuery
          retryLabel={t("retry")}
          error={query.error}
          retry={() => void query.refetch()}
        />
      )}
      {groups?.map(({ id, title, lists }) => (
        <Group key={id} title={title} lists={lists} />
      ))}
    </FormSection>
  );
}

function Group({ title, lists }: { title: string; lists: Partial<HubLists> }) {
  const { t } = useTranslation("hub");
  const items = hubTypes.flatMap((type) => lists[hubListNames[type]]?.items ?? []);
  return (
    <section className="grid grid-cols-1 gap-2" aria-label={title}>
      <h3 className="font-medium">{title}</h3>
      {items.length === 0 ? (
        <p className="text-fg-2">{t("own.none")}</p>
      ) : (
        <ul className={cardGrid}>
          {items.map((item) => (
            <ItemCard key={item.importId} item={item} />
          ))}
        </ul>
      )}
    </section>
  );
}
