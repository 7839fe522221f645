-- A search by some of many devices skips the captions of the others without reading them.
create index caption_search_in_time_by_device on caption_search (start_ms desc, audio_clip_id desc, device_id);

drop index caption_search_in_time;
