# Dumps the databases whose URLs are set into $FOLDER/<time>: authz last, so that it has every user whom the
# other two name. A dump that was cut off keeps its name `.part`; only whole ones count when old ones go.
umask 077
new="$FOLDER/$(date -u +%Y%m%dT%H%M%SZ)"
dump() {
  [ -z "$2" ] || pg_dump --format=custom --file="$new.part/$1.dump" "$2"
}
rm -rf "$FOLDER"/*.part
mkdir "$new.part"
dump docstore "$DOCSTORE_URL"
dump investigation "$INVESTIGATION_URL"
dump authz "$AUTHZ_URL"
mv "$new.part" "$new"
find "$FOLDER" -mindepth 1 -maxdepth 1 -name '*Z' -mtime "+$KEEP_DAYS" -exec rm -r {} +
du -sh "$new"
