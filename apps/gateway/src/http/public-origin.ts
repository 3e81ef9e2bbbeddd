import type { ProcessConfig } from "@carrel/config";
import { CarrelError } from "@carrel/contracts";
import type { FastifyRequest } from "fastify";

/** The origin as the browser knows it: configured by the admin, or taken from the request. */
export function publicOrigin(request: FastifyRequest, config: ProcessConfig): string {
  if (config.CARREL_PUBLIC_URL !== undefined) return config.CARREL_PUBLIC_URL.replace(/\/+$/, "");
  const address = `${request.protocol}://${request.host}`;
  if (!URL.canParse(address) || new URL(address).host === "")
    throw new CarrelError("request.host-invalid");
  return new URL(address).origin;
}
