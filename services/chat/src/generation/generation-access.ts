import { Injectable } from "@nestjs/common";
import { CarrelError, resolveWorkspace, type Scope } from "@carrel/contracts";
import { RequestClient } from "@carrel/messaging";
import { GenerationRepository } from "./generation.repository.ts";

export const generationNotFound = (): CarrelError => new CarrelError("generation.not-found");

/**
 * Generation routes name no workspace, so the guard has not checked access to it: the caller may
 * have been removed from the workspace since asking.
 */
@Injectable()
export class GenerationAccess {
  constructor(
    private readonly generations: GenerationRepository,
    private readonly requests: RequestClient,
  ) {}

  /**
   * Throws GENERATION_NOT_FOUND unless the generation is the caller's, in a workspace they may use.
   */
  async require(scope: Scope, generationId: string): Promise<void> {
    const workspace = await this.generations.findWorkspace(scope, generationId);
    if (workspace === null) throw generationNotFound();
    // Managers, admins, API keys and the instance may use every workspace.
    if (scope.principal.role !== "default") return;
    try {
      const found = await this.requests.request(
        resolveWorkspace,
        { slug: workspace.slug },
        { scope: { principal: scope.principal, workspace: null } },
      );
      if (found.scope.workspace?.id === workspace.id) return;
    } catch (error) {
      if (!(error instanceof CarrelError) || error.kind !== "WORKSPACE_NOT_FOUND") throw error;
    }
    throw generationNotFound();
  }
}
