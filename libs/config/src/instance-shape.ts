import { resolve } from "node:path";
import { z } from "zod";
import { certificates, destinationList, proxyUrl } from "./egress-fields.ts";
import {
  byteSize,
  commaSeparated,
  duration,
  flag,
  portNumber,
  presence,
  privateNetworks,
  proxyList,
  secretString,
} from "./fields.ts";

const backendUrl = (protocols: string[], example: string) =>
  z.string().refine((text) => URL.canParse(text) && protocols.includes(new URL(text).protocol), {
    message: `must be a URL such as ${example}`,
  });

export const databaseUrl = backendUrl(
  ["postgres:", "postgresql:"],
  "postgres://user:password@host:5432/carrel",
);

/** Variables of every process. The gateway, which has no database, reads only these. */
export const processShape = {
  /** Data folder; absolute after parsing. */
  CARREL_HOME: z
    .string()
    .default(".carrel")
    .transform((path) => resolve(path)),
  CARREL_HOST: z.string().default("127.0.0.1"),
  CARREL_PORT: portNumber.default(3001),
  CARREL_PUBLIC_URL: z.url({ protocol: /^https?$/ }).optional(),
  CARREL_CORS_ORIGINS: commaSeparated.default([]),
  /** In bytes. */
  CARREL_MAX_UPLOAD: byteSize.default(1024 ** 3),
  /** At least 32 characters; if unset, the key file is used, see `instanceSecret`. */
  CARREL_SECRET: z
    .string()
    .min(32, "must have at least 32 characters")
    .pipe(secretString)
    .optional(),
  /** Accepted as well as CARREL_SECRET while the secret is rotated; see `acceptedSecrets`. */
  CARREL_SECRET_OTHER: z
    .string()
    .min(32, "must have at least 32 characters")
    .pipe(secretString)
    .optional(),
  REDIS_URL: backendUrl(["redis:", "rediss:", "unix:"], "redis://:password@host:6379"),
  QDRANT_URL: z.url({ protocol: /^https?$/ }).optional(),
  QDRANT_API_KEY: secretString.optional(),
  /** Certificates of private authorities, trusted in addition to Node's; one PEM text each. */
  CARREL_CA: certificates.default([]),
  /** Proxy of outgoing HTTP connections, which may hold credentials. */
  CARREL_EGRESS_PROXY: proxyUrl.optional(),
  /**
   * Hosts, `*.domains`, addresses and networks that are connected to without the proxy; `private`
   * stands for RFC 1918 and RFC 4193. Loopback never goes through the proxy.
   */
  CARREL_EGRESS_PROXY_EXCEPT: destinationList.default(privateNetworks),
  /** Who resolves the names that the proxy connects to; see docs/decisions/network-security.md. */
  CARREL_EGRESS_PROXY_DNS: z.enum(["local", "proxy"]).default("local"),
  CARREL_MODELS_DIR: z
    .string()
    .transform((path) => resolve(path))
    .optional(),
  /** Whether language models may run in a process of this machine. */
  CARREL_LOCAL_MODELS: flag.default(false),
  /** They are unloaded after this long without a question. */
  CARREL_LOCAL_MODEL_IDLE_MINUTES: z.coerce.number().min(0.05).max(10_080).default(15),
  /** Processor threads they compute with. Unset: all cores, but one if there are more than two. */
  CARREL_LOCAL_MODEL_THREADS: z.coerce.number().int().min(1).max(256).optional(),
  /**
   * Where built-in models are downloaded from, an http or https URL; `off` disables downloads.
   */
  CARREL_MODEL_HUB: z
    .string()
    .trim()
    .default("https://huggingface.co")
    .refine((text) => text === "off" || (/^https?:\/\/[^/]/.test(text) && URL.canParse(text)), {
      message: 'must be "off" or a URL such as https://huggingface.co',
    })
    .transform((text) => (text === "off" ? null : text.replace(/\/+$/, ""))),
  /**
   * How long answers may continue, and their streams stay open, once a process is asked to stop. It
   * needs up to 20 s more, so whatever stops it must wait that much longer. Unset: 5 s, and some
   * seconds for streams.
   */
  CARREL_DRAIN_SECONDS: z.coerce.number().int().min(0).max(3_600).optional(),
  /**
   * How long a separate gateway that is asked to stop still accepts connections while /readyz
   * answers 503, so that load balancers notice before any connection is refused.
   */
  CARREL_STOP_DELAY_SECONDS: z.coerce.number().int().min(0).max(300).default(0),
  CARREL_LOG_LEVEL: z
    .enum(["trace", "debug", "info", "warn", "error", "fatal", "silent"])
    .default("info"),
  /**
   * Proxies whose forwarded address is trusted: addresses, CIDR ranges, `loopback`, `private`.
   * Default: none.
   */
  CARREL_TRUST_PROXY: proxyList.default([]),
  /**
   * Session lifetime, e.g. 30d. This name and the next six come from the product whose clients we
   * support (wire-contract 1.8).
   */
  JWT_EXPIRY: duration.default(30 * 24 * 3_600_000),
  SIMPLE_SSO_ENABLED: presence,
  SIMPLE_SSO_NO_LOGIN: presence,
  SIMPLE_SSO_NO_LOGIN_REDIRECT: z.url({ protocol: /^https?$/ }).optional(),
  WORKSPACE_DELETION_PROTECTION: presence,
  DISABLE_VIEW_CHAT_HISTORY: presence,
  /** Lets keys with the scope `admin` read the settings, with their secrets masked. */
  CARREL_ENV_DUMP: presence,
  EMBED_REQUIRE_ALLOWLIST: presence,
  DISABLE_SWAGGER_DOCS: flag.default(false),
  /** OpenID Connect sign-in: enabled when issuer and client id are set. */
  CARREL_OIDC_ISSUER: z.url({ protocol: /^https?$/ }).optional(),
  CARREL_OIDC_CLIENT_ID: z.string().optional(),
  CARREL_OIDC_CLIENT_SECRET: secretString.optional(),
  CARREL_OIDC_NAME: z.string().max(40).default("OpenID"),
  CARREL_OIDC_SCOPES: z.string().default("openid profile email"),
  /**
   * Claim with the user's roles or groups (text or list; dots access nested objects), and which of
   * its values make someone an admin, manager or user.
   */
  CARREL_OIDC_ROLE_CLAIM: z.string().optional(),
  CARREL_OIDC_ADMIN_VALUES: commaSeparated.default([]),
  CARREL_OIDC_MANAGER_VALUES: commaSeparated.default([]),
  /** If empty, everyone whom the provider signs in may be a user. */
  CARREL_OIDC_USER_VALUES: commaSeparated.default([]),
  /** Whether people without an account get one when they first sign in. */
  CARREL_OIDC_SIGN_UP: flag.default(true),
  /** Whether the MCP server accepts access tokens of the OpenID provider; see `mcpResource`. */
  CARREL_MCP_OAUTH: flag.default(false),
  /** If unset: 0, which picks a free port and logs it. */
  CARREL_HEALTH_PORT: portNumber.optional(),
  CARREL_HEALTH_HOST: z.string().default("127.0.0.1"),
  /** Unless set, a remote PostgreSQL or Redis without a password prevents startup. */
  CARREL_ALLOW_OPEN_BACKENDS: flag.default(false),
  /** Where traces are exported to; unset: nowhere. The exporter reads further `OTEL_*` itself. */
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  OTEL_EXPORTER_OTLP_HEADERS: secretString.optional(),
  OTEL_TRACES_EXPORTER: z.enum(["otlp", "none"]).default("otlp"),
  OTEL_SDK_DISABLED: flag.default(false),
  /** Share of the traces that are recorded. */
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** How long agent sessions of existing clients wait for the next message (wire-contract 5.3). */
  CARREL_AGENT_IDLE_SECONDS: z.coerce.number().int().min(1).max(86_400).default(300),
  /** Concurrent requests per service replica. */
  CARREL_CONCURRENCY: z.coerce.number().int().min(1).max(4096).default(64),
  /** If set, originals are stored in this bucket instead of the data folder. */
  S3_BUCKET: z.string().optional(),
  S3_ENDPOINT: z.url({ protocol: /^https?$/ }).optional(),
  S3_REGION: z.string().default("us-east-1"),
  S3_ACCESS_KEY_ID: z.string().optional(),
  S3_SECRET_ACCESS_KEY: secretString.optional(),
  S3_FORCE_PATH_STYLE: flag.default(true),
  S3_PREFIX: z.string().default(""),
} satisfies z.ZodRawShape;

export type ProcessConfig = Readonly<z.output<z.ZodObject<typeof processShape>>>;

/**
 * Variables shared by all processes with a database; services add their own in
 * `ServiceDefinition.shape`.
 */
export const instanceShape = {
  ...processShape,
  /**
   * Of a user who may create roles, each service then makes one for itself; or of the service's own
   * user, whom the migration has made with `DATABASE_OWNER_URL`.
   */
  DATABASE_URL: databaseUrl,
  /** Only for migrations: a user who may create roles, while `DATABASE_URL` is the service's own. */
  DATABASE_OWNER_URL: databaseUrl.optional(),
  /** Maximum PostgreSQL connections per service. */
  CARREL_DATABASE_POOL: z.coerce.number().int().min(2).max(200).default(6),
} satisfies z.ZodRawShape;

export type InstanceConfig = Readonly<z.output<z.ZodObject<typeof instanceShape>>>;
