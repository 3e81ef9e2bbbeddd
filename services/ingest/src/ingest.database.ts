import { ownerTransferMigration, type ServiceDatabase } from "@carrel/database";
import { messagingMigration } from "@carrel/messaging";
import { CreateDocuments1795230000000 } from "./database/migrations/1795230000000-CreateDocuments.ts";
import { AddPinsAndParsedFiles1795260000000 } from "./database/migrations/1795260000000-AddPinsAndParsedFiles.ts";
import { AddLibrary1795290000000 } from "./database/migrations/1795290000000-AddLibrary.ts";
import { AddSearchIndexes1795350000000 } from "./database/migrations/1795350000000-AddSearchIndexes.ts";
import { AddRecognition1795400000000 } from "./database/migrations/1795400000000-AddRecognition.ts";
import { SpeedLibrary1795450000000 } from "./database/migrations/1795450000000-SpeedLibrary.ts";
import { NarrowIndexes1795460000000 } from "./database/migrations/1795460000000-NarrowIndexes.ts";
import { TrackEmbeddingUse1795470000000 } from "./database/migrations/1795470000000-TrackEmbeddingUse.ts";
import { CodeReasons1795480000000 } from "./database/migrations/1795480000000-CodeReasons.ts";
import { KeepReasonsAsText1795490000000 } from "./database/migrations/1795490000000-KeepReasonsAsText.ts";
import { CodeBuildFaults1795500000000 } from "./database/migrations/1795500000000-CodeBuildFaults.ts";
import { NoteVectorCheck1795510000000 } from "./database/migrations/1795510000000-NoteVectorCheck.ts";
import { MarkSlowDocuments1795520000000 } from "./database/migrations/1795520000000-MarkSlowDocuments.ts";
import { CountSheets1795530000000 } from "./database/migrations/1795530000000-CountSheets.ts";
import { MarkRecordings1795540000000 } from "./database/migrations/1795540000000-MarkRecordings.ts";
import { AnnounceDocuments1795700000000 } from "./database/migrations/1795700000000-AnnounceDocuments.ts";
import { NoteLanguages1795710000000 } from "./database/migrations/1795710000000-NoteLanguages.ts";
import { MarkOutdatedTerms1795720000000 } from "./database/migrations/1795720000000-MarkOutdatedTerms.ts";
import { NoteReading1795730000000 } from "./database/migrations/1795730000000-NoteReading.ts";
import { ReadPicturesLater1795741000000 } from "./database/migrations/1795741000000-ReadPicturesLater.ts";
import { CountPictureAttempts1795750000000 } from "./database/migrations/1795750000000-CountPictureAttempts.ts";
import { AddRevisions1795911000000 } from "./database/migrations/1795911000000-AddRevisions.ts";
import { RestrictDocuments1796000000000 } from "./database/migrations/1796000000000-RestrictDocuments.ts";
import { WatchDocuments1796150000000 } from "./database/migrations/1796150000000-WatchDocuments.ts";
import { MarkUploads1796160000000 } from "./database/migrations/1796160000000-MarkUploads.ts";
import { FindAudiencesByUser1796210000000 } from "./database/migrations/1796210000000-FindAudiencesByUser.ts";
import { RecordIndexFolder1796310000000 } from "./database/migrations/1796310000000-RecordIndexFolder.ts";
import { MarkLostDocuments1796320000000 } from "./database/migrations/1796320000000-MarkLostDocuments.ts";
import { IndexLostDocuments1796610000000 } from "./database/migrations/1796610000000-IndexLostDocuments.ts";
import { Document } from "./document/document.entity.ts";
import { WorkspaceDocument } from "./document/workspace-document.entity.ts";
import { ParsedFile } from "./parsed-file/parsed-file.entity.ts";

/**
 * Text, pages, chunks and garbage have no entities, because they are read and written in bulk by
 * SQL.
 */
export const ingestDatabase: ServiceDatabase = {
  schema: "ingest",
  entities: [Document, ParsedFile, WorkspaceDocument],
  migrations: [
    messagingMigration("ingest"),
    CreateDocuments1795230000000,
    ownerTransferMigration("ingest"),
    AddPinsAndParsedFiles1795260000000,
    AddLibrary1795290000000,
    AddRecognition1795400000000,
    AddSearchIndexes1795350000000,
    SpeedLibrary1795450000000,
    NarrowIndexes1795460000000,
    TrackEmbeddingUse1795470000000,
    CodeReasons1795480000000,
    KeepReasonsAsText1795490000000,
    CodeBuildFaults1795500000000,
    NoteVectorCheck1795510000000,
    MarkSlowDocuments1795520000000,
    CountSheets1795530000000,
    MarkRecordings1795540000000,
    AnnounceDocuments1795700000000,
    NoteLanguages1795710000000,
    MarkOutdatedTerms1795720000000,
    NoteReading1795730000000,
    ReadPicturesLater1795741000000,
    CountPictureAttempts1795750000000,
    AddRevisions1795911000000,
    RestrictDocuments1796000000000,
    WatchDocuments1796150000000,
    MarkUploads1796160000000,
    FindAudiencesByUser1796210000000,
    RecordIndexFolder1796310000000,
    MarkLostDocuments1796320000000,
    IndexLostDocuments1796610000000,
  ],
  // Reserves connections for searches.
  reserves: true,
};
