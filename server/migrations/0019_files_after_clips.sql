-- So that a clip is inserted or moved before the file it names is locked, and the check follows; see decision 0020.
alter table audio_clips alter constraint audio_clips_file_id_fkey deferrable initially immediate;
