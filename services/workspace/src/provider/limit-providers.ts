import type { AllowedModels, listWorkspaceProviders, Out } from "@carrel/contracts";

type Providers = Out<typeof listWorkspaceProviders>["providers"];

/**
 * Keeps the models that an admin allows, including those that the provider doesn't list right now,
 * and the providers that have any.
 */
export const limitProviders = (providers: Providers, allowed: AllowedModels): Providers =>
  providers.flatMap((provider) => {
    if (!Object.hasOwn(allowed, provider.id)) return [provider];
    const ids = allowed[provider.id]!;
    if (ids.length === 0) return [];
    const names = new Map(provider.models.map(({ id, name }) => [id, name]));
    return [
      {
        ...provider,
        model: provider.model !== null && ids.includes(provider.model) ? provider.model : null,
        models: ids.map((id) => ({ id, name: names.get(id) ?? id })),
      },
    ];
  });
