import type { Db, Fragment } from '../../platform/database/connect.ts';

/** A clip as the contract shows it, over the aliases c (audio_clips) and d (devices). */
export const clipColumns = (db: Db): Fragment => db`
  c.key, d.user_id as "userID", c.device_id as "deviceID", c.file_id as "fileID",
  c.audio_clip_status as "audioClipStatus", c.audio_clip_type_id as "audioClipTypeID",
  c.audio_clip_parameters as "audioClipParameters", c.local_file_path as "localFilePath", c.file_size as "fileSize",
  c.bitrate, c.start_ms / 1000 as "startTime", c.start_ms % 1000 as "startTimeMs",
  c.end_ms / 1000 as "endTime", c.end_ms % 1000 as "endTimeMs",
  (c.end_ms - c.start_ms + 500) / 1000 as "clipLengthInSeconds", c.tag_list_id as "tagListID",
  c.creation_date as "creationDate", c.created_by as "createdBy", c.last_modified_date as "lastModifiedDate",
  c.last_modified_by as "lastModifiedBy"`;
