import { z, type ZodType } from "zod";
import { fetchModelList } from "../http/fetch-json.ts";
import type { ListedModel } from "../spec/language-model.ts";
import { authorize, refuseBedrock, type BedrockEndpoint } from "./bedrock-endpoint.ts";

/** ListFoundationModels and ListInferenceProfiles (AWS API reference, Bedrock, 2026). */
const modelList = z.object({
  modelSummaries: z.array(
    z.object({
      modelId: z.string(),
      modelName: z.string().optional(),
      providerName: z.string().optional(),
      outputModalities: z.array(z.string()).optional(),
      inferenceTypesSupported: z.array(z.string()).optional(),
      responseStreamingSupported: z.boolean().optional(),
    }),
  ),
});
const profileList = z.object({
  inferenceProfileSummaries: z.array(
    z.object({ inferenceProfileId: z.string(), inferenceProfileName: z.string().optional() }),
  ),
});
type Model = z.infer<typeof modelList>["modelSummaries"][number];

const canChat = ({ outputModalities = [], responseStreamingSupported }: Model): boolean =>
  outputModalities.includes("TEXT") && responseStreamingSupported !== false;

/** Newer models answer only through a profile: `us.amazon.nova-…` is one of `amazon.nova-…`. */
const modelOf = (profileId: string): string => profileId.slice(profileId.indexOf(".") + 1);

/** The models that a region answers with on demand, and the profiles of the others. */
export async function listBedrockModels(
  endpoint: BedrockEndpoint,
  signal: AbortSignal,
): Promise<ListedModel[]> {
  const list = async <T>(path: string, schema: ZodType<T>): Promise<T> => {
    const url = new URL(endpoint.listUrl + path);
    return fetchModelList({
      vendor: endpoint.vendor,
      url: url.href,
      limits: endpoint.limits,
      headers: await authorize(endpoint, { method: "GET", url }),
      signal,
      schema,
      refuse: (status, text, headers) => refuseBedrock(endpoint.vendor, status, text, headers),
    });
  };
  const [{ modelSummaries }, { inferenceProfileSummaries }] = await Promise.all([
    list("/foundation-models", modelList),
    list("/inference-profiles?maxResults=1000", profileList),
  ]);
  const models = new Map(modelSummaries.filter(canChat).map((model) => [model.modelId, model]));
  const describe = (
    id: string,
    name: string | undefined,
    { providerName }: Model,
  ): ListedModel => ({
    id,
    name: name ?? id,
    organization: providerName ?? "Amazon Bedrock",
  });
  return [
    ...[...models.values()]
      .filter(({ inferenceTypesSupported = ["ON_DEMAND"] }) =>
        inferenceTypesSupported.includes("ON_DEMAND"),
      )
      .map((model) => describe(model.modelId, model.modelName, model)),
    ...inferenceProfileSummaries.flatMap(({ inferenceProfileId: id, inferenceProfileName }) => {
      const model = models.get(modelOf(id));
      return model === undefined ? [] : [describe(id, inferenceProfileName, model)];
    }),
  ];
}
