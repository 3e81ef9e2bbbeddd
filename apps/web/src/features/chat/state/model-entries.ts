import type {
  In,
  Out,
  ThreadModel,
  chooseThreadModel,
  listWorkspaceProviders,
} from "@carrel/contracts";
import { sortModels } from "../../../lib/providers.ts";

type Providers = Out<typeof listWorkspaceProviders>["providers"];
type Choice = In<typeof chooseThreadModel>["choice"];

export interface ModelEntry {
  key: string;
  /** null: the workspace's model. */
  name: string | null;
  choice: Choice;
  isCurrent: boolean;
}

/**
 * One group per provider, after the workspace's model. A provider that lists no models offers its
 * own.
 */
export function modelEntries(
  providers: Providers,
  current: ThreadModel,
): { heading: string | null; entries: ModelEntry[] }[] {
  const isCurrent = (provider: string, model: string | null): boolean =>
    current.isOwnChoice &&
    current.provider === provider &&
    (model ?? current.model) === current.model;
  const groups = providers.map(({ id, name, model, models }) => {
    const listed = new Map(models.map((each) => [each.id, each.name]));
    if (model !== null && !listed.has(model)) listed.set(model, model);
    // The choice stays listed if the provider no longer lists it.
    if (
      current.isOwnChoice &&
      current.provider === id &&
      current.model !== null &&
      !listed.has(current.model)
    )
      listed.set(current.model, current.model);
    const entries =
      listed.size === 0
        ? [{ model: null, name }]
        : sortModels([...listed].map(([id, shown]) => ({ id, name: shown }))).map(
            ({ id: each, name: shown }) => ({ model: each, name: shown }),
          );
    return {
      heading: listed.size === 0 ? null : name,
      entries: entries.map((entry) => ({
        key: `${id} ${entry.model ?? ""}`,
        name: entry.name,
        choice: { provider: id, model: entry.model },
        isCurrent: isCurrent(id, entry.model),
      })),
    };
  });
  const alone = groups.filter(({ heading }) => heading === null).flatMap(({ entries }) => entries);
  return [
    {
      heading: null,
      entries: [
        { key: "workspace", name: null, choice: null, isCurrent: !current.isOwnChoice },
        ...alone,
      ],
    },
    ...groups.filter(({ heading }) => heading !== null),
  ];
}
