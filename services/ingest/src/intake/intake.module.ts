import { Module } from "@nestjs/common";
import { SettingModule } from "../setting/setting.module.ts";
import { BlobModule } from "../blob/blob.module.ts";
import { TranscriptionModule } from "../transcription/transcription.module.ts";
import { WorkPoolModule } from "../work-pool/work-pool.module.ts";
import { DocumentModule } from "../document/document.module.ts";
import { IndexModule } from "../index/index.module.ts";
import { DocumentParser } from "./document-parser.ts";
import { DocumentRecogniser } from "./document-recogniser.ts";
import { DocumentHandler } from "./document.handler.ts";
import { Intake } from "./intake.ts";
import { ParsedTwin } from "./parsed-twin.ts";
import { ParsingReconciler } from "./parsing.reconciler.ts";
import { ParsingRepository } from "./parsing.repository.ts";
import { RecognitionQueue } from "./recognition-queue.ts";
import { SheetDocuments } from "./sheet-documents.ts";

@Module({
  imports: [
    SettingModule,
    BlobModule,
    TranscriptionModule,
    WorkPoolModule,
    DocumentModule,
    IndexModule,
  ],
  controllers: [DocumentHandler],
  providers: [
    DocumentParser,
    DocumentRecogniser,
    Intake,
    ParsedTwin,
    ParsingReconciler,
    ParsingRepository,
    RecognitionQueue,
    SheetDocuments,
  ],
  exports: [DocumentParser],
})
export class IntakeModule {}
