"""How our structs are described in the OpenAPI document: as they are sent, and as strictly as they are read."""

from typing import Final

from litestar._openapi.schema_generation import SchemaCreator
from litestar.openapi.spec import OpenAPIType, Schema
from litestar.plugins import OpenAPISchemaPlugin
from litestar.typing import FieldDefinition
from msgspec import Struct
from msgspec.structs import fields


class AsLists(OpenAPISchemaPlugin):
    """Structs that are sent as lists."""

    def is_plugin_supported_field(self, field_definition: FieldDefinition) -> bool:
        """Whether it is one of them."""
        kind = field_definition.annotation
        return isinstance(kind, type) and issubclass(kind, Struct) and kind.__struct_config__.array_like

    def to_openapi_schema(self, field_definition: FieldDefinition, schema_creator: SchemaCreator) -> Schema:
        """A list with an item for each field."""
        items = [FieldDefinition.from_annotation(field.type) for field in fields(field_definition.annotation)]
        return Schema(
            type=OpenAPIType.ARRAY, prefix_items=[schema_creator.for_field_definition(item) for item in items]
        )


PLUGINS: Final = [AsLists()]
